-- Returns the first value of an account's hash chain. Each later value is the SHA-256 of the previous one and an entry's text, so
-- changing, adding or removing an entry changes all later values.
-- Called by archivable_range, audit_account, chain_at and seal_entries.
create or replace function chain_start(p_company uuid, p_environment environment) returns bytea
language sql immutable as $$
  select sha256(convert_to('cardstock ledger ' || p_company || ' ' || p_environment, 'UTF8'))
$$;
