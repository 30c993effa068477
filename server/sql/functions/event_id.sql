-- The id of an object's event: a UUIDv7 of that instant, then the sequence, then the random part of the object's own id.
-- So it needs no random numbers, and events of one object in one millisecond are in order.
-- In two steps, because the first is the same for a whole batch and would be half of the cost of each row.
create or replace function event_time(p_now timestamptz) returns text
language sql stable as $$
  select lpad(to_hex((extract(epoch from p_now) * 1000)::bigint), 12, '0') || '7'
$$;

create or replace function event_id(p_time text, p_object uuid, p_sequence integer) returns uuid
language sql immutable as $$
  select (p_time || right(to_hex(4096 | (p_sequence & 4095)), 3) || substr(p_object::text, 20))::uuid
$$;
