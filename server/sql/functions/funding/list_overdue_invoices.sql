-- Returns pending invoices past their expiry, the longest overdue first.
-- One plain select, so that PostgreSQL inlines it into the caller's statement.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by funding/queries.ts.
create or replace function list_overdue_invoices(p_now timestamptz, p_limit integer)
returns table (company_id uuid, environment environment, id uuid)
language sql stable as $$
  select i.company_id, i.environment, i.id from invoice i where i.status = 'pending' and i.expires_at <= p_now
  order by i.expires_at limit p_limit
$$;
