-- Changes that may have been sent and whose outcome is due to be looked up. They are only ever looked up, never sent
-- again. Across companies: the worker serves them all.
-- Called by card-changes/queries.ts.
create or replace function claim_card_changes(p_now timestamptz, p_lease_until timestamptz) returns setof card_change
language sql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update card_change c set due_at = p_lease_until, look_up_count = c.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from card_change q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 100
  ) n
  where c.company_id = n.company_id and c.environment = n.environment and c.id = n.id
    and c.status = 'processing' and c.due_at <= p_now
  returning c.*
$$;
