-- A UUIDv7 for an object created at this instant, as lib/ids.ts makes them, for rows that a function makes by itself.
create or replace function new_id(p_now timestamptz) returns uuid
language sql volatile as $$
  select encode(
    substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3)
    || set_byte(set_byte(substring(uuid_send(gen_random_uuid()) from 7), 0, 112 + (get_byte(uuid_send(gen_random_uuid()), 0) & 15)), 2,
                128 + (get_byte(uuid_send(gen_random_uuid()), 1) & 63)), 'hex')::uuid
$$;
