-- The next due deliveries of lines that p_holder holds, with everything that sending needs: at most p_sizes of a line
-- (64 whatever it says), one of a line that has failed five times in a row. It only reads: the lease is the claim's, and
-- nothing is taken from a line whose lease was lost. url and secrets are in the first row of a line alone.
--
-- Every row is looked up by its whole key, by a subquery that the planner cannot take apart. As plain joins, and before
-- the tables were analysed, it read all events of the company for every delivery.
-- Called by webhooks/queries.ts.
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
