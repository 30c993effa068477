-- Changes an endpoint. Null leaves a field as it is; a description of '' removes it. Enabling clears the record of failures
-- and goes on with the pending deliveries; disabling leaves them pending. Returns false when there is no such endpoint.
-- Called by webhooks/queries.ts.
create or replace function update_webhook_endpoint(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text, p_status text
) returns boolean
language plpgsql as $$
declare
  v_before text;
  v_due timestamptz;
begin
  perform lock_delivery_queues(array[p_company], array[p_environment], array[p_id]);
  select e.status into v_before from webhook_endpoint e
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if v_before is null then return false; end if;
  update webhook_endpoint e set
    url = coalesce(p_url, e.url),
    events = coalesce(p_events, e.events),
    description = nullif(coalesce(p_description, e.description), ''),
    status = coalesce(p_status, e.status),
    disabled_reason = case when coalesce(p_status, e.status) = 'enabled' then null else coalesce(e.disabled_reason, 'request') end
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if p_status is distinct from v_before and p_status is not null then
    if p_status = 'enabled' then v_due := first_due(p_company, p_environment, p_id); end if;
    update delivery_queue q set
      failures = case when p_status = 'enabled' then 0 else q.failures end,
      failing_since = case when p_status = 'enabled' then null else q.failing_since end,
      not_before = case when q.worker_id is null then p_now else q.not_before end,
      due_at = v_due
    where q.company_id = p_company and q.environment = p_environment and q.endpoint_id = p_id;
  end if;
  return true;
end $$;
