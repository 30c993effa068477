-- Locks a delivery queue with a recovery to continue and returns it, or a row of nulls. Citus locks rows of one company only, so the
-- company is found first.
-- Called by recover_deliveries.
create or replace function lock_recovery(p_now timestamptz) returns delivery_queue
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_company uuid := due_company('recoveries', p_now);
  v_queue delivery_queue;
begin
  select * into v_queue from delivery_queue q
  where q.company_id = v_company and q.recover_after is not null
  order by q.endpoint_id limit 1 for no key update skip locked;
  return v_queue;
end $$;
