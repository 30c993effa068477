-- The cards that keep their holder from being erased: those that are not closed, and those with an open change, which come first. The
-- condition is written so that it suits no other query: lists of a holder's cards are to use the index that has them in their order.
-- safe: no release has this table yet, so that no database in use has many rows. A million cards take about two seconds.
create index if not exists card_in_use on card (company_id, environment, holder_id, pending_status)
  where coalesce(pending_status, nullif(status, 'closed')) is not null;
