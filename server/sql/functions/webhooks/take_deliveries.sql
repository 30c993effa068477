-- Returns the next due deliveries of the queues that p_worker has the lease of, with everything that sending needs: at
-- most p_sizes per queue (never more than 64), and one from a queue that has failed five times in a row. It only reads:
-- the claim took the lease, and a worker whose lease was lost gets nothing. url and secrets are only in the first row of
-- a queue.
--
-- Every row is looked up by its whole key, in a subquery that the planner cannot pull up. With plain joins, and before
-- the tables were analysed, it read all events of the company for every delivery. The limit of the deliveries depends on the
-- queue, so that the queue and its endpoint are looked up once and not for every delivery.
-- Called by webhooks/queries.ts.
create or replace function take_deliveries(
  p_now timestamptz, p_worker uuid, p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_sizes integer[]
) returns table (
  item integer, url text, secrets jsonb, attempt_count smallint, resend_count integer,
  company_id uuid, environment environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamptz,
  operation_type text, amount bigint, fee bigint, card_id uuid, receipt text, failure_code text, failure_message text, operation_created_at timestamptz
)
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_company uuid := batch_company(p_companies);
begin
  return query
  select i.n::integer, case when d.place = 1 then q.url end,
    case when d.place = 1 then (
      select jsonb_agg(jsonb_build_object('id', s.id, 'ciphertext', encode(s.ciphertext, 'base64'), 'keyId', s.key_id, 'expiresAt', s.expires_at) order by s.id desc)
      from webhook_secret s
      where s.company_id = coalesce(v_company, i.company_id)
        and s.environment = i.environment and s.endpoint_id = i.endpoint_id
    ) end,
    d.attempt_count, d.resend_count,
    i.company_id, i.environment, d.event_id, v.type, v.object_id, v.sequence, v.data, v.created_at::timestamptz,
    o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at::timestamptz
  from unnest(p_companies, p_environments, p_endpoints, p_sizes) with ordinality as i (company_id, environment, endpoint_id, size, n)
  cross join lateral (
    select e.url, q.failures from delivery_queue q
    join webhook_endpoint e on e.company_id = coalesce(v_company, i.company_id)
      and e.environment = i.environment and e.id = i.endpoint_id and e.status = 'enabled'
    where q.company_id = coalesce(v_company, i.company_id)
      and q.environment = i.environment and q.endpoint_id = i.endpoint_id and q.worker_id = p_worker offset 0
  ) q
  cross join lateral (
    select w.event_id, w.attempt_count, w.resend_count, row_number() over (order by w.due_at, w.event_id) as place from delivery w
    where w.company_id = coalesce(v_company, i.company_id)
      and w.environment = i.environment and w.endpoint_id = i.endpoint_id
      and w.status = 'pending' and w.due_at <= p_now
    order by w.due_at, w.event_id limit case when q.failures >= 5 then 1 else least(i.size, 64) end
  ) d
  cross join lateral (
    select v.type, v.object_id, v.sequence, v.data, v.created_at from event_log v
    where v.company_id = coalesce(v_company, i.company_id)
      and v.environment = i.environment and v.id = d.event_id offset 0
  ) v
  left join lateral (
    select o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at from operation o
    where v.data is null and o.company_id = coalesce(v_company, i.company_id)
      and o.environment = i.environment and o.id = v.object_id offset 0
  ) o on true;
end $$;
