-- Returns queued operations that are due at p_now, at most 200, of the companies after p_company, up to p_end and before
-- p_bound, in the order of their ids, the longest due first.
-- One plain select, so that PostgreSQL inlines it into the caller's statement.
-- Not on Citus: only due_operations of PostgreSQL calls it.
-- Called by due_operations.
create or replace function list_due_after(p_company uuid, p_environment environment, p_end uuid, p_bound uuid, p_now timestamptz)
returns table (company_id uuid, id uuid)
language sql stable
as $$
  select q.company_id, q.id from issuer_request q
  where q.status = 'queued' and q.environment = p_environment and q.company_id > p_company and q.company_id <= p_end
    and q.company_id < p_bound and q.due_at <= p_now
  order by q.environment, q.company_id, q.due_at limit 200
$$;
