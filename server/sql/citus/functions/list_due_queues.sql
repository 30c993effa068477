-- Returns what list_due_queues does on PostgreSQL. Citus refuses its recursive query, so every node reads all its due operations.
-- Across companies: the metrics are about all of them.
-- Called by operations/queries.ts.
create or replace function list_due_queues(p_environment environment, p_now timestamptz, p_limit integer)
returns table (company_id uuid, due_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    select o.company_id, min(o.due_at)::timestamptz as due_at from issuer_request o
    where o.status = 'queued' and o.environment = p_environment and o.due_at <= p_now
    group by o.company_id order by due_at limit p_limit;
end $$;
