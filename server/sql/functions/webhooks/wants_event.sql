-- Returns whether an endpoint asked for an event. A ping belongs to one endpoint only.
-- Called by recover_deliveries and resend_event.
create or replace function wants_event(p_endpoint webhook_endpoint, p_event event_log) returns boolean
language sql immutable as $$
  select case when p_event.type = 'webhook.ping' then p_event.object_id = p_endpoint.id
              else p_endpoint.events[1] = '*' or p_event.type = any (p_endpoint.events) end
$$;
