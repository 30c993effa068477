-- Returns the id of the card that an operation issues, as cardIdOf in cards/card-id.ts; a test compares them. The last twelve digits are inverted.
-- Called by complete_operations.
create or replace function issued_card(p_id uuid) returns uuid
language sql immutable as $$
  select (left(p_id::text, 24) || translate(right(p_id::text, 12), '0123456789abcdef', 'fedcba9876543210'))::uuid
$$;
