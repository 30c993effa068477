-- Returns the receipt of an operation that the sandbox carries out, as receiptOf in issuer/sandbox.ts; a test compares them.
-- Called by complete_operations.
create or replace function sandbox_receipt(p_id uuid) returns text
language sql immutable as $$
  select 'rcpt_' || translate(p_id::text, '-', '')
$$;
