-- The hash chain over an account's entries. Each value is the SHA-256 of the previous value and the entry's text, so
-- that changing, adding or removing any entry changes every later value.
-- Called by audit_account, chain_at and seal_entries.
create or replace function chain_start(p_company uuid, p_environment environment) returns bytea
language sql immutable as $$
  select sha256(convert_to('cardstock ledger ' || p_company || ' ' || p_environment, 'UTF8'))
$$;
