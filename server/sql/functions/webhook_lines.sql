-- The lines of deliveries: claiming one, taking from it, and what became of it.

-- When the first waiting delivery of an endpoint is due.
create or replace function first_due(p_company uuid, p_environment environment, p_endpoint uuid) returns timestamptz
language sql stable as $$
  select d.due_at from delivery d
  where d.company_id = p_company and d.environment = p_environment and d.endpoint_id = p_endpoint and d.status = 'pending'
  order by d.due_at limit 1
$$;

-- Across companies: a worker serves them all. Ten of the forty lines that have been ready for longest: few at a time, so
-- that several workers get their share; at random, so that those who claim at once seldom want the same. Failing lines
-- are claimed apart.
--
-- Chosen without a lock, then claimed one by one by a guarded update: whoever comes second finds the line no longer
-- ready. In key order, like every lock on several lines: hence no deadlock. Not `skip locked`, which a distributed
-- database refuses across companies and which was no faster (either way a hundredth of the database's time in
-- scripts/bench/webhooks.ts), and not one update of all: its order is the planner's.
create or replace function claim_lines(p_now timestamptz, p_lease_until timestamptz, p_holder uuid, p_failing boolean)
returns table (company_id uuid, environment environment, endpoint_id uuid, failures integer)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ready webhook_line[];
  v_line webhook_line;
begin
  if p_failing then
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures > 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  else
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures = 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  end if;
  if v_ready is null then return; end if;
  for v_line in
    select * from (select * from unnest(v_ready) order by random() limit 10) c order by c.company_id, c.environment, c.endpoint_id
  loop
    return query
      update webhook_line l set holder = p_holder, not_before = p_lease_until
      where l.company_id = v_line.company_id and l.environment = v_line.environment and l.endpoint_id = v_line.endpoint_id
        and l.due_at is not null and (l.failures > 0) = p_failing and greatest(l.due_at, l.not_before) <= p_now
      returning l.company_id, l.environment, l.endpoint_id, l.failures;
  end loop;
end $$;

-- The next due deliveries of lines that p_holder holds, with everything that sending needs: at most p_sizes of a line
-- (64 whatever it says), one of a line that has failed five times in a row. It only reads: the lease is the claim's, and
-- nothing is taken from a line whose lease was lost. url and secrets are in the first row of a line alone.
--
-- Every row is looked up by its whole key, by a subquery that the planner cannot take apart. As plain joins, and before
-- the tables were analysed, it read all events of the company for every delivery.
create or replace function take_deliveries(
  p_now timestamptz, p_holder uuid, p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_sizes integer[]
) returns table (
  item integer, url text, secrets jsonb, attempt_count smallint, resend_count integer,
  company_id uuid, environment environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamptz,
  operation_type text, amount bigint, fee bigint, card_id uuid, receipt text, failure_code text, failure_message text, operation_created_at timestamptz
)
language sql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  select i.n::integer, case when d.place = 1 then e.url end, case when d.place = 1 then e.secrets end, d.attempt_count, d.resend_count,
    i.company_id, i.environment, d.event_id, v.type, v.object_id, v.sequence, v.data, v.created_at::timestamptz,
    o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at::timestamptz
  from unnest(p_companies, p_environments, p_endpoints, p_sizes) with ordinality as i (company_id, environment, endpoint_id, size, n)
  cross join lateral (
    select l.failures from webhook_line l
    where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id and l.holder = p_holder offset 0
  ) l
  cross join lateral (
    select e.url,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'keyId', s.key_id, 'expiresAt', s.expires_at) order by s.id desc)
       from webhook_secret s where s.company_id = i.company_id and s.environment = i.environment and s.endpoint_id = i.endpoint_id) as secrets
    from webhook_endpoint e
    where e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id and e.status = 'enabled' offset 0
  ) e
  cross join lateral (
    select q.event_id, q.attempt_count, q.resend_count, row_number() over (order by q.due_at, q.event_id) as place from delivery q
    where q.company_id = i.company_id and q.environment = i.environment and q.endpoint_id = i.endpoint_id
      and q.status = 'pending' and q.due_at <= p_now
    order by q.due_at, q.event_id limit 64
  ) d
  cross join lateral (
    select v.type, v.object_id, v.sequence, v.data, v.created_at from event_log v
    where v.company_id = i.company_id and v.environment = i.environment and v.id = d.event_id offset 0
  ) v
  left join lateral (
    select o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at from operation o
    where v.data is null and o.company_id = i.company_id and o.environment = i.environment and o.id = v.object_id offset 0
  ) o on true
  where d.place <= case when l.failures >= 5 then 1 else i.size end
$$;

-- Writes down rounds of attempts. An attempt counts for its delivery only once, should two workers have made it, and not
-- when the event was asked for once more while it was under way: that is then still to come.
-- p_line_until: when the line may be claimed again; null when its holder goes on with it: then it stays as it is, due and
-- held, and is locked only because lines come before deliveries. p_line_succeeded: whether anything arrived since it was
-- claimed; p_line_failures: how much has failed since then, or since what arrived. Answers the endpoints that have only failed since p_failing_limit.
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
