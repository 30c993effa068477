-- Returns the items whose idempotency key exists, each with its operation.
-- It searches by order instead of equality. Only the index on keys has this order, so the planner cannot choose the primary key
-- and read all of a company's operations for each item. It would do so while it believes that there are few: in a new
-- database, or when one company is far larger than the others. The search is a function of its own because it turns sorting
-- off, which its callers need.
-- Called by accept_operations and find_originals.
create or replace function find_operations_by_key(p_companies uuid[], p_environments environment[], p_keys text[])
returns table (item bigint, id uuid)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_company uuid := batch_company(p_companies);
begin
  return query
    select i.n, o.id
    from unnest(p_companies, p_environments, p_keys) with ordinality as i (company_id, environment, key, n)
    cross join lateral (
      select k.id, k.idempotency_key from operation k
      where k.company_id = coalesce(v_company, i.company_id)
        and k.environment = i.environment and k.idempotency_key >= i.key
      order by k.idempotency_key limit 1
    ) o
    where o.idempotency_key = i.key;
end $$;
