-- Returns the id of an object's event: a UUIDv7 with the time of the event, the sequence, and the random part of the object's
-- own id. It needs no random numbers, and the events of an object within a millisecond are in order. p_time comes from
-- event_time.
-- Called by claim_operations, settle_operations and write_event.
create or replace function event_id(p_time text, p_object uuid, p_sequence integer) returns uuid
language sql immutable as $$
  select (p_time || right(to_hex(4096 | (p_sequence & 4095)), 3) || substr(p_object::text, 20))::uuid
$$;
