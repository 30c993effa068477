-- Returns the id of an object's event: a UUIDv7 with the time of the event and the object's own id behind it, to whose
-- counter within the millisecond the sequence is added. It needs no random numbers, and the events of an object within one
-- millisecond are in order and after the object itself, whose id is that of an operation's first event. p_time comes from
-- event_time.
-- Called by claim_listed, settle_operations and write_event.
create or replace function event_id(p_time text, p_object uuid, p_sequence integer) returns uuid
language sql immutable as $$
  select (p_time
    || right(to_hex(4096 | ((('x' || substr(p_object::text, 16, 3))::bit(12)::integer + p_sequence) & 4095)), 3)
    || substr(p_object::text, 20))::uuid
$$;
