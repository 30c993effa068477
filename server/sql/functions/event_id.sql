-- The id of an object's event: a UUIDv7 of that instant, then the sequence, then the random part of the object's own id.
-- So it needs no random numbers, and events of one object in one millisecond are in order.
create or replace function event_id(p_now timestamptz, p_object uuid, p_sequence integer) returns uuid
language sql stable as $$
  select (lpad(to_hex((extract(epoch from p_now) * 1000)::bigint), 12, '0') || '7'
          || lpad(to_hex(p_sequence & 4095), 3, '0') || substr(p_object::text, 20))::uuid
$$;
