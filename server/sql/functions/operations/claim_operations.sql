-- Claims queued operations that are due, at most p_limit and at most 200, in the turns of due_operations.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by operations/queries.ts.
create or replace function claim_operations(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid,
  p_companies uuid[], p_positions timestamptz[]
)
returns setof operation
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_owners uuid[];
  v_ids uuid[];
begin
  perform choose_plans('operation');
  select d.owners, d.ids into v_owners, v_ids
  from due_operations(p_environment, p_now, p_limit, p_share, p_after_company, p_companies, p_positions) d;
  return query select * from claim_listed(p_environment, p_now, p_lease_until, v_owners, v_ids);
end $$;
