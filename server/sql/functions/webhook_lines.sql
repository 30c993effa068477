-- The lines of deliveries: claiming one, taking from it, and what became of it.

-- When the first waiting delivery of an endpoint is due.
create or replace function first_due(p_company uuid, p_environment environment, p_endpoint uuid) returns timestamptz
language sql stable as $$
  select d.due_at from delivery d
  where d.company_id = p_company and d.environment = p_environment and d.endpoint_id = p_endpoint and d.status = 'pending'
  order by d.due_at limit 1
$$;

-- Across companies: a worker serves them all. Lines that have been ready for longest come first; those that are failing
-- are claimed apart. Few at a time, so that several workers get their share. `skip locked`, so that a claim waits for
-- nobody: lines are ready in another order than that of their keys, in which everyone else locks several of them.
create or replace function claim_lines(p_now timestamptz, p_lease_until timestamptz, p_holder uuid, p_failing boolean)
returns table (company_id uuid, environment environment, endpoint_id uuid, failures integer)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  if p_failing then
    return query
      update webhook_line l set holder = p_holder, not_before = p_lease_until
      from (
        select q.company_id, q.environment, q.endpoint_id from webhook_line q
        where q.due_at is not null and q.failures > 0 and greatest(q.due_at, q.not_before) <= p_now
        order by greatest(q.due_at, q.not_before) limit 10 for no key update skip locked
      ) n
      where l.company_id = n.company_id and l.environment = n.environment and l.endpoint_id = n.endpoint_id
      returning l.company_id, l.environment, l.endpoint_id, l.failures;
  else
    return query
      update webhook_line l set holder = p_holder, not_before = p_lease_until
      from (
        select q.company_id, q.environment, q.endpoint_id from webhook_line q
        where q.due_at is not null and q.failures = 0 and greatest(q.due_at, q.not_before) <= p_now
        order by greatest(q.due_at, q.not_before) limit 10 for no key update skip locked
      ) n
      where l.company_id = n.company_id and l.environment = n.environment and l.endpoint_id = n.endpoint_id
      returning l.company_id, l.environment, l.endpoint_id, l.failures;
  end if;
end $$;

-- The next due deliveries of lines that p_holder holds, with everything that sending needs: at most 16 of a line, one of
-- a line that has failed five times in a row. The lease begins anew, and nothing is taken from a line whose lease was lost.
create or replace function take_deliveries(
  p_now timestamptz, p_lease_until timestamptz, p_holder uuid, p_companies uuid[], p_environments environment[], p_endpoints uuid[]
) returns table (
  item integer, url text, secrets jsonb, attempt_count smallint,
  company_id uuid, environment environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamptz,
  operation_type text, amount bigint, fee bigint, card_id uuid, receipt text, failure_code text, failure_message text, operation_created_at timestamptz
)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_held integer[];
  v_probing integer[];
begin
  perform lock_lines(p_companies, p_environments, p_endpoints);
  with held as (
    update webhook_line l set not_before = p_lease_until
    from unnest(p_companies, p_environments, p_endpoints) with ordinality as i (company_id, environment, endpoint_id, n)
    where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id and l.holder = p_holder
    returning i.n, l.failures
  )
  select array_agg(h.n), array_agg(h.n) filter (where h.failures >= 5) into v_held, v_probing from held h;
  return query
    select i.n::integer, e.url,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'keyId', s.key_id, 'expiresAt', s.expires_at) order by s.id desc)
       from webhook_secret s where s.company_id = e.company_id and s.environment = e.environment and s.endpoint_id = e.id),
      d.attempt_count,
      v.company_id, v.environment, v.id, v.type, v.object_id, v.sequence, v.data, v.created_at::timestamptz,
      o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at::timestamptz
    from unnest(p_companies, p_environments, p_endpoints) with ordinality as i (company_id, environment, endpoint_id, n)
    join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id and e.status = 'enabled'
    cross join lateral (
      select q.event_id, q.attempt_count, row_number() over (order by q.due_at, q.event_id) as place from delivery q
      where q.company_id = i.company_id and q.environment = i.environment and q.endpoint_id = i.endpoint_id
        and q.status = 'pending' and q.due_at <= p_now
      order by q.due_at, q.event_id limit 16
    ) d
    join event v on v.company_id = i.company_id and v.environment = i.environment and v.id = d.event_id
    left join operation o on v.data is null and o.company_id = v.company_id and o.environment = v.environment and o.id = v.object_id
    where i.n = any (v_held) and (d.place = 1 or i.n <> all (coalesce(v_probing, '{}')));
end $$;

-- Writes down a round of attempts and where it leaves the lines. An attempt counts for its delivery only once, should two
-- workers have made it. p_line_until: until when the line is held or paused; p_line_keep: whether its holder goes on.
-- Answers the endpoints that have only failed since p_failing_limit.
create or replace function record_attempts(
  p_now timestamptz, p_holder uuid, p_failing_limit timestamptz,
  p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_events uuid[], p_ids uuid[], p_numbers smallint[], p_statuses text[],
  p_status_codes smallint[], p_errors text[], p_latencies integer[], p_responses text[], p_starts timestamptz[], p_dues timestamptz[],
  p_line_companies uuid[], p_line_environments environment[], p_line_endpoints uuid[], p_line_until timestamptz[], p_line_keep boolean[]
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
  from unnest(p_companies, p_environments, p_events, p_endpoints, p_numbers, p_statuses, p_dues)
    as i (company_id, environment, event_id, endpoint_id, number, status, due_at)
  where d.company_id = i.company_id and d.environment = i.environment and d.event_id = i.event_id and d.endpoint_id = i.endpoint_id
    and d.status = 'pending' and d.attempt_count = i.number - 1;
  return query
    with line as (
      update webhook_line l set
        last_success_at = case when t.successes > 0 then p_now else l.last_success_at end,
        failures = case when t.successes > 0 then 0 else l.failures + coalesce(t.failures, 0) end,
        failing_since = case when t.successes > 0 then null when t.failures > 0 then coalesce(l.failing_since, p_now) else l.failing_since end,
        due_at = case when e.status = 'enabled' then first_due(l.company_id, l.environment, l.endpoint_id) end,
        holder = case when l.holder is distinct from p_holder or i.keep then l.holder end,
        not_before = case when l.holder is distinct from p_holder then l.not_before else i.until end
      from unnest(p_line_companies, p_line_environments, p_line_endpoints, p_line_until, p_line_keep) as i (company_id, environment, endpoint_id, until, keep)
      join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id
      left join (
        select a.company_id, a.environment, a.endpoint_id, count(*) filter (where a.status = 'delivered')::integer as successes,
               count(*) filter (where a.status <> 'delivered')::integer as failures
        from unnest(p_companies, p_environments, p_endpoints, p_statuses) as a (company_id, environment, endpoint_id, status)
        group by 1, 2, 3
      ) t on t.company_id = i.company_id and t.environment = i.environment and t.endpoint_id = i.endpoint_id
      where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
      returning l.company_id, l.environment, l.endpoint_id, l.failing_since, t.failures
    )
    select line.company_id, line.environment, line.endpoint_id from line where line.failures > 0 and line.failing_since <= p_failing_limit;
end $$;
