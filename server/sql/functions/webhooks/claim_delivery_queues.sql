-- Claims up to ten delivery queues that are ready, for all companies: takes the lease for p_worker and returns them.
-- Failing queues are claimed separately. It chooses ten at random out of the forty that have been ready for longest: few
-- at a time, so that several workers get their share, and at random, so that concurrent claims seldom want the same ones.
--
-- It chooses without a lock and then claims one by one with a guarded update: whoever comes second finds the queue no
-- longer ready. It goes in key order, like every lock on several queues, so there is no deadlock. `skip locked` is not
-- used because a distributed database refuses it across companies, and it was no faster (either way a hundredth of the
-- database's time in scripts/bench/webhooks.ts); neither is one update of all, because the planner chooses its order.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by webhooks/queries.ts.
create or replace function claim_delivery_queues(p_now timestamptz, p_lease_until timestamptz, p_worker uuid, p_failing boolean)
returns table (company_id uuid, environment environment, endpoint_id uuid, failures integer)
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ready delivery_queue[];
  v_queue delivery_queue;
begin
  if p_failing then
    select array_agg(r.queue) into v_ready from (
      select q as queue from delivery_queue q
      where q.due_at is not null and q.failures > 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  else
    select array_agg(r.queue) into v_ready from (
      select q as queue from delivery_queue q
      where q.due_at is not null and q.failures = 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  end if;
  if v_ready is null then return; end if;
  for v_queue in
    select * from (select * from unnest(v_ready) order by random() limit 10) c order by c.company_id, c.environment, c.endpoint_id
  loop
    return query
      update delivery_queue q set worker_id = p_worker, not_before = p_lease_until
      where q.company_id = v_queue.company_id and q.environment = v_queue.environment and q.endpoint_id = v_queue.endpoint_id
        and q.due_at is not null and (q.failures > 0) = p_failing and greatest(q.due_at, q.not_before) <= p_now
      returning q.company_id, q.environment, q.endpoint_id, q.failures;
  end loop;
end $$;
