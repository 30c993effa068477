-- Claims requests that may have been sent and whose look-up is due: their claimer died, or the last answer was unknown. They are only
-- ever looked up, never sent again. Takes at most p_limit of one issuer's requests, and at most 200, of the kinds that the claimer knows.
-- The claim does not count as a look-up: the functions that settle count those that were answered.
-- The limit that the planner sees is a literal; see claim_operations.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by issuer/requests/queries.ts.
create or replace function claim_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_kinds text[]
) returns table (company_id uuid, id uuid, kind text)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  perform choose_plans('operation');
  return query
    update issuer_request r set due_at = p_lease_until
    from (
      select d.company_id, d.id from (
        select q.company_id, q.id from issuer_request q
        where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now and q.kind = any (p_kinds)
        order by q.environment, q.due_at, q.id limit 200
      ) d limit p_limit
    ) n
    where r.company_id = n.company_id and r.environment = p_environment and r.id = n.id
      -- A case, because from it no partial index follows: planned while little was open, it would read everything that is
      -- processing for each of them.
      and case r.status when 'processing' then r.due_at <= p_now else false end
    returning r.company_id, r.id, r.kind;
end $$;
