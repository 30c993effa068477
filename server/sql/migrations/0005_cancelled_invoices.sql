-- Who cancelled an invoice before its deadline, as created_by says who created it. Null for an invoice that was not cancelled.
alter table invoice add column if not exists cancelled_by text;
-- The changes of a card are listed on its page.
-- safe: a card has few changes; 100,000 rows take about a second.
create index if not exists card_change_by_card on card_change (company_id, environment, card_id, id);
