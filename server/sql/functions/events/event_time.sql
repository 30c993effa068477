-- Returns the part of event_id that depends only on the time. A batch computes it once, because it is half of the cost.
-- Called by claim_listed, settle_operations and write_event.
create or replace function event_time(p_now timestamptz) returns text
language sql stable as $$
  select lpad(to_hex((extract(epoch from p_now) * 1000)::bigint), 12, '0') || '7'
$$;
