-- Called by delete_webhook_endpoint, record_attempts, rotate_webhook_secret, update_webhook_endpoint and wake_lines.
create or replace function lock_lines(p_companies uuid[], p_environments environment[], p_endpoints uuid[])
returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform 1 from webhook_line l
  where (l.company_id, l.environment, l.endpoint_id) in (
    select i.company_id, i.environment, i.endpoint_id
    from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id))
  order by l.company_id, l.environment, l.endpoint_id
  for no key update;
end $$;
