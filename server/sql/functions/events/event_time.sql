-- The id of an object's event: a UUIDv7 of that instant, then the sequence, then the random part of the object's own id.
-- So it needs no random numbers, and events of one object in one millisecond are in order.
-- In two steps, because the first is the same for a whole batch and would be half of the cost of each row.
-- Called by claim_operations, settle_operations and write_event.
create or replace function event_time(p_now timestamptz) returns text
language sql stable as $$
  select lpad(to_hex((extract(epoch from p_now) * 1000)::bigint), 12, '0') || '7'
$$;
