-- Continues any one recovery by up to a thousand events: those that the endpoint asks for and has not acknowledged become
-- due at once, also those that wait for their next retry. The queue's own pause after failures ends too. Returns the endpoint, or
-- null if there was no recovery to continue. Across companies: the worker serves them all. The endpoints take turns, if p_before is the
-- one that had the last turn.
-- Called by webhooks/queries.ts.
create or replace function recover_deliveries(p_now timestamptz, p_before uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_queue delivery_queue;
  v_count integer;
  v_until uuid;
  v_last uuid;
begin
  v_queue := lock_recovery(p_now, p_before);
  if v_queue.endpoint_id is null then return null; end if;
  select count(*), (array_agg(p.id order by p.id desc))[1] into v_count, v_until
  from (
    select v.id from event_log v
    where v.company_id = v_queue.company_id and v.environment = v_queue.environment and v.id > v_queue.recover_after and v.id <= v_queue.recover_until
    order by v.id limit 1000
  ) p;
  insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
  select v_queue.company_id, v_queue.environment, v.id, e.id, p_now
  from event_log v
  join webhook_endpoint e on e.company_id = v_queue.company_id and e.environment = v_queue.environment and e.id = v_queue.endpoint_id
  where v.company_id = v_queue.company_id and v.environment = v_queue.environment and v.id > v_queue.recover_after and v.id <= v_until
    and wants_event(e.id, e.events, v.type, v.object_id)
  -- A delivery that failed for good starts over; one that waits for a retry keeps its count and is only hastened.
  on conflict (company_id, environment, event_id, endpoint_id) do update set
    status = 'pending', attempt_count = case when d.status = 'failed' then 0 else d.attempt_count end,
    due_at = excluded.due_at
    where d.status = 'failed' or (d.status = 'pending' and d.due_at > excluded.due_at);
  if v_count = 1000 then v_last := v_until; end if;
  update delivery_queue q set
    recover_after = v_last,
    recover_until = case when v_last is not null then q.recover_until end,
    due_at = case when e.status = 'enabled' then least(q.due_at, p_now) end,
    not_before = case when q.worker_id is null then least(q.not_before, p_now) else q.not_before end
  from webhook_endpoint e
  where q.company_id = v_queue.company_id and q.environment = v_queue.environment and q.endpoint_id = v_queue.endpoint_id
    and e.company_id = v_queue.company_id and e.environment = q.environment and e.id = q.endpoint_id;
  return v_queue.endpoint_id;
end $$;
