-- Returns whether an endpoint asked for an event. A ping belongs to one endpoint only.
-- Called by recover_deliveries and resend_event.
create or replace function wants_event(p_endpoint uuid, p_events text[], p_type text, p_object uuid) returns boolean
language sql immutable as $$
  select case when p_type = 'webhook.ping' then p_object = p_endpoint else p_events[1] = '*' or p_type = any (p_events) end
$$;
