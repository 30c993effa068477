-- Returns an endpoint as events show it: the same keys and values as toEndpoint in webhooks/schema.ts.
-- Called by disable_webhook_endpoint and ping_webhook_endpoint.
create or replace function webhook_endpoint_json(p_company uuid, p_environment environment, p_id uuid) returns jsonb
language plpgsql stable as $$
begin
  return (select jsonb_build_object(
    'id', wire_id('we', e.id),
    'url', e.url,
    'events', e.events,
    'description', e.description,
    'status', e.status,
    'disabledReason', e.disabled_reason,
    'health', jsonb_build_object(
      'lastSuccessAt', wire_time(q.last_success_at),
      'failingSince', wire_time(q.failing_since),
      'failures', q.failures),
    'environment', e.environment,
    'createdAt', wire_time(e.created_at))
  from webhook_endpoint e
  join delivery_queue q on q.company_id = e.company_id and q.environment = e.environment and q.endpoint_id = e.id
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id);
end $$;
