-- By the server itself: the receiver answered 410, or failed for days. Its other endpoints are told.
-- All lines of the company are locked at once, in order, because telling them locks them again.
-- Called by webhooks/queries.ts.
create or replace function disable_webhook_endpoint(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_reason text)
returns boolean
language plpgsql as $$
begin
  perform lock_lines_of(p_company, p_environment);
  update webhook_endpoint e set status = 'disabled', disabled_reason = p_reason
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled';
  if not found then return false; end if;
  update webhook_line l set due_at = null
  where l.company_id = p_company and l.environment = p_environment and l.endpoint_id = p_id;
  perform emit_event(p_company, p_environment, 'webhook.disabled', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  return true;
end $$;
