-- Returns the last four digits of the card that the sandbox issues by an operation, as last4Of in issuer/sandbox.ts; a test compares them.
-- Called by complete_operations.
create or replace function sandbox_last4(p_id uuid) returns text
language sql immutable as $$
  select lpad((('x' || right(p_id::text, 8))::bit(32)::bigint % 10000)::text, 4, '0')
$$;
