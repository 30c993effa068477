-- Returns the companies whose queued operations have been due for longest, the longest first. It reads one index entry per company, of
-- the first 10,000 companies that have queued operations.
-- Across companies: the metrics are about all of them.
-- Not on Citus: sql/citus/functions has another text.
-- Called by operations/queries.ts.
create or replace function list_due_queues(p_environment environment, p_now timestamptz, p_limit integer)
returns table (company_id uuid, due_at timestamptz)
language sql stable as $$
  with recursive waiting as (
    (select o.company_id, o.due_at from issuer_request o where o.status = 'queued' and o.environment = p_environment
     order by o.environment, o.company_id, o.due_at limit 1)
    union all
    select following.company_id, following.due_at from waiting w, lateral (
      select o.company_id, o.due_at from issuer_request o
      where o.status = 'queued' and o.environment = p_environment and o.company_id > w.company_id
      order by o.environment, o.company_id, o.due_at limit 1) following
  )
  select f.company_id, f.due_at::timestamptz from (select w.company_id, w.due_at from waiting w limit 10000) f
  where f.due_at <= p_now order by f.due_at limit p_limit
$$;
