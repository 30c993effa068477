-- Claims operations that may have been sent and whose look-up is due: their claimer died, or the last answer was unknown.
-- They are only ever looked up, never sent again. Takes at most p_limit of one issuer's operations, and at most 200.
-- The claim does not count as a look-up: settle_operations counts those that were answered.
-- The limit that the planner sees is a literal; see claim_operations.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by operations/queries.ts.
create or replace function claim_look_ups(p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer)
returns setof operation
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies uuid[];
  v_ids uuid[];
begin
  perform choose_plans('operation');
  with claimed as (
    update open_operation o set due_at = p_lease_until
    from (
      select d.company_id, d.id from (
        select q.company_id, q.id from open_operation q
        where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now
        order by q.environment, q.due_at, q.id limit 200
      ) d limit p_limit
    ) n
    where o.company_id = n.company_id and o.environment = p_environment and o.id = n.id
      -- A case, because from it no partial index follows: planned while little was open, it would read everything that is
      -- processing for each of them.
      and case o.status when 'processing' then o.due_at <= p_now else false end
    returning o.company_id, o.id
  )
  select array_agg(c.company_id), array_agg(c.id) into v_companies, v_ids from claimed c;
  return query
    select o.* from unnest(v_companies, v_ids) as c (company_id, id)
    join operation o on o.company_id = c.company_id and o.environment = p_environment and o.id = c.id;
end $$;
