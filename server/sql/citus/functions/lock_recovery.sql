-- Locks a delivery queue with a recovery to continue and returns it, or a row of nulls. Citus locks rows of one company only, so the
-- company is found first, at random. Its endpoints take turns: it takes the next one below p_before, or the last of the company.
-- Called by recover_deliveries.
create or replace function lock_recovery(p_now timestamptz, p_before uuid) returns delivery_queue
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_company uuid := due_company('recoveries', p_now);
  v_queue delivery_queue;
begin
  select * into v_queue from delivery_queue q
  where q.company_id = v_company and q.recover_after is not null and q.endpoint_id < p_before
  order by q.endpoint_id desc limit 1 for no key update skip locked;
  if not found then
    select * into v_queue from delivery_queue q
    where q.company_id = v_company and q.recover_after is not null
    order by q.endpoint_id desc limit 1 for no key update skip locked;
  end if;
  return v_queue;
end $$;
