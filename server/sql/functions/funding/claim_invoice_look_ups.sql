-- Claims invoices that the issuer may have been asked for and whose look-up is due: the caller died, or the last answer
-- was unknown. They are only ever looked up, never asked for again. Takes at most p_limit of one issuer's invoices.
-- The claim does not count as a look-up: settle_invoice counts those that were answered.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by funding/queries.ts.
create or replace function claim_invoice_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer
) returns setof invoice
language sql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update invoice i set due_at = p_lease_until
  from (
    select q.company_id, q.environment, q.id from invoice q
    where q.status = 'creating' and q.environment = p_environment and q.due_at <= p_now
    order by q.due_at limit p_limit
  ) n
  where i.company_id = n.company_id and i.environment = n.environment and i.id = n.id
    and i.status = 'creating' and i.due_at <= p_now
  returning i.*
$$;
