-- Emits a webhook.ping to this endpoint alone, whatever events it asked for. Returns the event's id, or null when there is
-- no such enabled endpoint.
-- Called by webhooks/queries.ts.
create or replace function ping_webhook_endpoint(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid) returns uuid
language plpgsql as $$
declare
  v_event uuid;
begin
  if not exists (select from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled') then
    return null;
  end if;
  v_event := write_event(p_company, p_environment, 'webhook.ping', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  insert into delivery (company_id, environment, event_id, endpoint_id, due_at) values (p_company, p_environment, v_event, p_id, p_now);
  perform wake_delivery_queues(p_now, array[p_company], array[p_environment], array[p_id]);
  return v_event;
end $$;
