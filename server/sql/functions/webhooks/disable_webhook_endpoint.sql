-- Disables an endpoint on the server's own decision, because the receiver answered 410 or failed for days, and tells the
-- company's other endpoints. It locks all delivery queues of the company at once, in order, because emitting the event
-- locks them again. Returns false when the endpoint was not enabled.
-- Called by webhooks/queries.ts.
create or replace function disable_webhook_endpoint(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_reason text)
returns boolean
language plpgsql as $$
begin
  perform lock_company_delivery_queues(p_company, p_environment);
  update webhook_endpoint e set status = 'disabled', disabled_reason = p_reason
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled';
  if not found then return false; end if;
  update delivery_queue q set due_at = null
  where q.company_id = p_company and q.environment = p_environment and q.endpoint_id = p_id;
  perform emit_event(p_company, p_environment, 'webhook.disabled', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  return true;
end $$;
