-- Which items' idempotency keys exist, with their operations. By order and not by equality: only the index of keys has
-- this order, so that the planner cannot take the primary key instead and read all of a company's operations for each
-- item, which it does while it believes that they are few (a new database, or one company far larger than the others).
-- A function of its own, because elsewhere sorting must be allowed.
-- Called by accept_operations.
create or replace function find_operations_by_key(p_companies uuid[], p_environments environment[], p_keys text[])
returns table (item bigint, id uuid)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select i.n, o.id
    from unnest(p_companies, p_environments, p_keys) with ordinality as i (company_id, environment, key, n)
    cross join lateral (
      select k.id, k.idempotency_key from operation k
      where k.company_id = i.company_id and k.environment = i.environment and k.idempotency_key >= i.key
      order by k.idempotency_key limit 1
    ) o
    where o.idempotency_key = i.key;
end $$;
