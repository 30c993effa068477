-- Claims changes that may have been sent and whose look-up is due. They are only ever looked up, never sent again. Takes
-- at most p_limit of one issuer's changes, across companies: the worker serves them all.
-- The claim does not count as a look-up: settle_card_change counts those that were answered.
-- Not on Citus: sql/citus/functions has another text.
-- Called by card-changes/queries.ts.
create or replace function claim_card_changes(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer
) returns setof card_change
language sql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update card_change c set due_at = p_lease_until
  from (
    select q.company_id, q.environment, q.id from card_change q
    where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now
    order by q.due_at, q.id limit p_limit
  ) n
  where c.company_id = n.company_id and c.environment = n.environment and c.id = n.id
    and c.status = 'processing' and c.due_at <= p_now
  returning c.*
$$;
