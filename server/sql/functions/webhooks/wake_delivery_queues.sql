-- Marks delivery queues as due now. A queue that was due already is only locked: neither its row nor its indexes are
-- written again for every event.
-- Called by fan_out, ping_webhook_endpoint and resend_event.
create or replace function wake_delivery_queues(p_now timestamptz, p_companies uuid[], p_environments environment[], p_endpoints uuid[])
returns void
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_company uuid := batch_company(p_companies);
begin
  perform lock_delivery_queues(p_companies, p_environments, p_endpoints);
  update delivery_queue q set due_at = p_now
  from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id)
  where q.company_id = coalesce(v_company, i.company_id)
    and q.environment = i.environment and q.endpoint_id = i.endpoint_id
    and (q.due_at is null or q.due_at > p_now);
end $$;
