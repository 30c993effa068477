-- The operator lists seals by their time. Accounts that are sealed in one run have the same time, so the hash decides among them.
create index seal_by_time on seal (sealed_at, hash);
