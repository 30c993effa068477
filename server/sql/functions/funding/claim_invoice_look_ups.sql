-- Invoices that the issuer may have been asked for and whose outcome is due to be looked up: the caller died, or the
-- last answer was unknown. They are only ever looked up, never asked for again.
-- Called by funding/queries.ts.
create or replace function claim_invoice_look_ups(p_now timestamptz, p_lease_until timestamptz) returns setof invoice
language sql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update invoice i set due_at = p_lease_until, look_up_count = i.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from invoice q
    where q.status = 'creating' and q.due_at <= p_now order by q.due_at limit 100
  ) n
  where i.company_id = n.company_id and i.environment = n.environment and i.id = n.id
    and i.status = 'creating' and i.due_at <= p_now
  returning i.*
$$;
