-- Locks the given delivery queues in key order. Queues are locked before deliveries, everywhere.
-- Called by delete_webhook_endpoint, record_attempts, rotate_webhook_secret, update_webhook_endpoint and
-- wake_delivery_queues.
create or replace function lock_delivery_queues(p_companies uuid[], p_environments environment[], p_endpoints uuid[])
returns void
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_company uuid := batch_company(p_companies);
begin
  perform 1 from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id)
  join delivery_queue q on q.company_id = coalesce(v_company, i.company_id)
    and q.environment = i.environment and q.endpoint_id = i.endpoint_id
  order by q.company_id, q.environment, q.endpoint_id
  for no key update of q;
end $$;
