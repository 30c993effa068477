-- Who ordered an operation, a change of a card or an invoice: the kind (key, person or operator), the id, and the name at that
-- moment, separated by spaces. One text and not three columns, because a batch of operations passes and stores each column for
-- every item. Null for what was ordered before.
alter table operation add column if not exists created_by text;
alter table card_change add column if not exists created_by text;
alter table invoice add column if not exists created_by text;
