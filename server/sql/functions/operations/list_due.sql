-- Returns the ids of a company's queued operations that are due at p_now, the longest due first, at most 200, from p_from on.
-- One plain select, so that PostgreSQL inlines it into the caller's statement.
-- Not on Citus: only due_operations of PostgreSQL calls it.
-- Called by due_operations.
create or replace function list_due(p_company uuid, p_environment environment, p_from timestamptz, p_now timestamptz)
returns table (id uuid)
language sql stable
as $$
  select q.id from issuer_request q
  where q.status = 'queued' and q.environment = p_environment and q.company_id = p_company
    and q.due_at >= p_from and q.due_at <= p_now
  order by q.environment, q.company_id, q.due_at limit 200
$$;
