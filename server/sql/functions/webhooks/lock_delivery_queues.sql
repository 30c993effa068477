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
begin
  perform 1 from delivery_queue q
  where -- citus: q.company_id = p_companies[1] and
    (q.company_id, q.environment, q.endpoint_id) in (
    select i.company_id, i.environment, i.endpoint_id
    from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id))
  order by q.company_id, q.environment, q.endpoint_id
  for no key update;
end $$;
