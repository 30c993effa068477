-- Writes down rounds of attempts. An attempt counts for its delivery only once, should two workers have made it, and not
-- when the event was asked for once more while it was under way: that is then still to come.
-- p_line_until: when the line may be claimed again; null when its holder goes on with it: then it stays as it is, due and
-- held, and is locked only because lines come before deliveries. p_line_succeeded: whether anything arrived since it was
-- claimed; p_line_failures: how much has failed since then, or since what arrived. Answers the endpoints that have only failed since p_failing_limit.
-- Called by webhooks/queries.ts.
create or replace function record_attempts(
  p_now timestamptz, p_holder uuid, p_failing_limit timestamptz,
  p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_events uuid[], p_ids uuid[], p_numbers smallint[], p_resends integer[],
  p_statuses text[], p_status_codes smallint[], p_errors text[], p_latencies integer[], p_responses text[], p_starts timestamptz[], p_dues timestamptz[],
  p_line_companies uuid[], p_line_environments environment[], p_line_endpoints uuid[], p_line_until timestamptz[],
  p_line_succeeded boolean[], p_line_failures integer[]
) returns table (company_id uuid, environment environment, endpoint_id uuid)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  perform lock_lines(p_line_companies, p_line_environments, p_line_endpoints);
  insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, status_code, error, latency_ms, response, started_at)
  select * from unnest(p_companies, p_environments, p_events, p_ids, p_endpoints, p_numbers, p_status_codes, p_errors, p_latencies, p_responses, p_starts)
  on conflict do nothing;
  update delivery d set status = i.status, attempt_count = i.number, due_at = coalesce(i.due_at, d.due_at)
  from unnest(p_companies, p_environments, p_events, p_endpoints, p_numbers, p_resends, p_statuses, p_dues)
    as i (company_id, environment, event_id, endpoint_id, number, resend_count, status, due_at)
  where d.company_id = i.company_id and d.environment = i.environment and d.event_id = i.event_id and d.endpoint_id = i.endpoint_id
    and d.status = 'pending' and d.attempt_count = i.number - 1 and d.resend_count = i.resend_count;
  return query
    with line as (
      update webhook_line l set
        last_success_at = case when i.succeeded then p_now else l.last_success_at end,
        failures = case when i.succeeded then i.failures else l.failures + i.failures end,
        failing_since = case when i.failures = 0 and not i.succeeded then l.failing_since
                             when i.failures = 0 then null
                             when i.succeeded then p_now
                             else coalesce(l.failing_since, p_now) end,
        due_at = case when e.status = 'enabled' then first_due(l.company_id, l.environment, l.endpoint_id) end,
        holder = case when l.holder is distinct from p_holder then l.holder end,
        not_before = case when l.holder is distinct from p_holder then l.not_before else i.until end
      from unnest(p_line_companies, p_line_environments, p_line_endpoints, p_line_until, p_line_succeeded, p_line_failures)
        as i (company_id, environment, endpoint_id, until, succeeded, failures)
      join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id
      where i.until is not null and l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
      returning l.company_id, l.environment, l.endpoint_id, l.failing_since, i.failures
    )
    select line.company_id, line.environment, line.endpoint_id from line where line.failures > 0 and line.failing_since <= p_failing_limit;
end $$;
