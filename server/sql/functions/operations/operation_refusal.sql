-- Decides about one operation: returns the reason for its refusal, or null when it is accepted. p_status is the status of
-- the holder (of an issue) or of the card (of a top-up); null when there is none. p_issued is how many cards were issued this
-- month; p_quota is how many may be, or null for any number.
-- The body is one expression, so PostgreSQL puts it into the statements of both callers, and the call costs nothing.
-- Called by accept_operation and accept_operations.
create or replace function operation_refusal(
  p_type text, p_holder uuid, p_card uuid, p_status text, p_issued integer, p_quota integer, p_total bigint, p_available bigint
) returns text
language sql immutable as $$
  select case
    when p_holder is not null and p_status is null then 'no_holder'
    when p_holder is not null and p_status <> 'active' then 'holder_inactive'
    when p_holder is null and p_card is not null and p_status is null then 'no_card'
    when p_holder is null and p_card is not null and p_status <> 'active' then 'card_inactive'
    when p_type = 'issue' and p_issued >= p_quota then 'quota'
    when p_total > p_available then 'funds'
  end
$$;
