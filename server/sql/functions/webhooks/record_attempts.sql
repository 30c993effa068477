-- Records rounds of attempts. Only the worker that has the lease of a queue may record for it: a worker that lost its lease
-- records nothing, because another one is sending the same deliveries and decides when the queue is due.
-- An attempt counts once, should the statement be repeated, and does not count when the event was asked for again while
-- the attempt was in flight: that delivery is still to come.
--
-- p_queue_until says when the queue may be claimed again. Null means that the worker goes on with it: then the queue stays
-- due and leased, and is locked only because queues are locked before deliveries. p_queue_succeeded says whether anything
-- was delivered since the claim; p_queue_failures counts the failures since then, or since the last delivery that
-- succeeded. Returns the endpoints that have had nothing but failures since p_failing_limit.
-- Called by webhooks/queries.ts.
create or replace function record_attempts(
  p_now timestamptz, p_worker uuid, p_failing_limit timestamptz,
  p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_events uuid[], p_ids uuid[], p_numbers smallint[], p_resends integer[],
  p_statuses text[], p_status_codes smallint[], p_errors text[], p_latencies integer[], p_responses text[], p_starts timestamptz[], p_dues timestamptz[],
  p_queue_companies uuid[], p_queue_environments environment[], p_queue_endpoints uuid[], p_queue_until timestamptz[],
  p_queue_succeeded boolean[], p_queue_failures integer[]
) returns table (company_id uuid, environment environment, endpoint_id uuid)
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_company uuid := batch_company(p_queue_companies);
  v_leased uuid[];
begin
  perform lock_delivery_queues(p_queue_companies, p_queue_environments, p_queue_endpoints);
  perform choose_plans('delivery');
  -- Once for all attempts: to look the queue up for each of them was a quarter of what recording costs.
  select array_agg(q.endpoint_id) into v_leased
  from unnest(p_queue_companies, p_queue_environments, p_queue_endpoints) as i (company_id, environment, endpoint_id)
  join delivery_queue q on q.company_id = coalesce(v_company, i.company_id)
    and q.environment = i.environment and q.endpoint_id = i.endpoint_id and q.worker_id = p_worker;
  insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, status_code, error, latency_ms, response, started_at)
  select i.* from unnest(p_companies, p_environments, p_events, p_ids, p_endpoints, p_numbers, p_status_codes, p_errors, p_latencies, p_responses, p_starts)
    as i (company_id, environment, event_id, id, endpoint_id, number, status_code, error, latency_ms, response, started_at)
  where i.endpoint_id = any (v_leased)
  on conflict do nothing;
  update delivery d set status = i.status, attempt_count = i.number, due_at = coalesce(i.due_at, d.due_at)
  from unnest(p_companies, p_environments, p_events, p_endpoints, p_numbers, p_resends, p_statuses, p_dues)
    as i (company_id, environment, event_id, endpoint_id, number, resend_count, status, due_at)
  where i.endpoint_id = any (v_leased) and d.company_id = coalesce(v_company, i.company_id)
    and d.environment = i.environment and d.event_id = i.event_id and d.endpoint_id = i.endpoint_id
    -- The status is in a case, so that the planner cannot use the index delivery_pending. There the time comes before the event, so looking for
    -- one event would read every delivery that waits.
    and case d.status when 'pending' then d.attempt_count = i.number - 1 and d.resend_count = i.resend_count else false end;
  return query
    with recorded as (
      update delivery_queue q set
        last_success_at = case when i.succeeded then p_now else q.last_success_at end,
        failures = case when i.succeeded then i.failures else q.failures + i.failures end,
        failing_since = case when i.failures = 0 and not i.succeeded then q.failing_since
                             when i.failures = 0 then null
                             when i.succeeded then p_now
                             else coalesce(q.failing_since, p_now) end,
        due_at = case when e.status = 'enabled' then (
          select d.due_at from delivery d
          where d.company_id = coalesce(v_company, q.company_id)
            and d.environment = q.environment and d.endpoint_id = q.endpoint_id and d.status = 'pending'
          order by d.due_at limit 1) end,
        worker_id = null,
        not_before = i.until
      from unnest(p_queue_companies, p_queue_environments, p_queue_endpoints, p_queue_until, p_queue_succeeded, p_queue_failures)
        as i (company_id, environment, endpoint_id, until, succeeded, failures)
      join webhook_endpoint e on e.company_id = coalesce(v_company, i.company_id)
        and e.environment = i.environment and e.id = i.endpoint_id
      where i.until is not null and q.company_id = coalesce(v_company, i.company_id)
        and q.environment = i.environment and q.endpoint_id = i.endpoint_id
        and q.worker_id = p_worker
      returning q.company_id, q.environment, q.endpoint_id, q.failing_since, i.failures
    )
    select r.company_id, r.environment, r.endpoint_id from recorded r where r.failures > 0 and r.failing_since <= p_failing_limit;
end $$;
