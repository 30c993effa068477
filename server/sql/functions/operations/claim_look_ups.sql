-- Operations that may have been sent and whose outcome is due to be looked up: their claimer died, or the last answer
-- was unknown. They are only ever looked up, never sent again.
-- Called by operations/queries.ts.
create or replace function claim_look_ups(p_now timestamptz, p_lease_until timestamptz) returns setof operation
language sql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
  update operation o set due_at = p_lease_until, look_up_count = o.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from operation q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 200
  ) n
  where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
    and case o.status when 'processing' then o.due_at <= p_now else false end
  returning o.*
$$;
