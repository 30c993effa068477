-- Claims operations that may have been sent and whose look-up is due: their claimer died, or the last answer was unknown.
-- They are only ever looked up, never sent again. Takes at most p_limit of one issuer's operations, and at most 200.
-- The claim does not count as a look-up: settle_operations counts those that were answered.
-- The limit that the planner sees is a literal; see claim_operations.
-- Across companies: the worker serves them all.
-- Called by operations/queries.ts.
create or replace function claim_look_ups(p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer)
returns setof operation
language sql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
  update operation o set due_at = p_lease_until
  from (
    select d.company_id, d.environment, d.id from (
      select q.company_id, q.environment, q.id from operation q
      where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now
      order by q.due_at, q.id limit 200
    ) d limit p_limit
  ) n
  where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
    and case o.status when 'processing' then o.due_at <= p_now else false end
  returning o.*
$$;
