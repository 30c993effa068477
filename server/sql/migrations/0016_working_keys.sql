-- Finds the keys of a company that work, among any number that ended.
-- safe: companies have a few keys each.
create index if not exists api_key_working on api_key (company_id, environment, coalesce(expires_at, 'infinity'::timestamptz))
  where revoked_at is null;
