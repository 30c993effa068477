-- Locks a delivery queue with a recovery to continue and returns it, or a row of nulls. Across companies: the worker serves them all.
-- Endpoints take turns: it takes the next one below p_before, or the last of all. Downward, because new endpoints have greater ids, so
-- they cannot come before one that waits.
-- Not on Citus: sql/citus/functions has another text, which needs p_now.
-- Called by recover_deliveries.
create or replace function lock_recovery(p_now timestamptz, p_before uuid) returns delivery_queue
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_queue delivery_queue;
begin
  select * into v_queue from delivery_queue q
  where q.recover_after is not null and q.endpoint_id < p_before order by q.endpoint_id desc limit 1 for no key update skip locked;
  if not found then
    select * into v_queue from delivery_queue q
    where q.recover_after is not null order by q.endpoint_id desc limit 1 for no key update skip locked;
  end if;
  return v_queue;
end $$;
