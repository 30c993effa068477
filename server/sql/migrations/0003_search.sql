-- Indexes for the search by the beginning of a name, an e-mail address, the last four digits or a merchant, in lower case. They are
-- ordered by bytes, so that a beginning is a range whatever the language of the database.

-- safe: no release has these tables yet, so that no database in use has many rows. 100,000 rows take about a second.
create index if not exists holder_by_name on holder (company_id, environment, lower(name) collate "C", id);
-- safe: as above.
create index if not exists holder_by_lower_email on holder (company_id, environment, lower(email) collate "C", id);
-- safe: as above.
create index if not exists card_by_name on card (company_id, environment, lower(name) collate "C", id);
-- safe: as above.
create index if not exists card_by_last4 on card (company_id, environment, last4 collate "C", id);
-- safe: as above.
create index if not exists transaction_by_merchant on transaction (company_id, environment, lower(merchant) collate "C", id);
