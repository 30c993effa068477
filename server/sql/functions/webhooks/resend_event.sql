-- Sends an event again, starting over with the first attempt: to the enabled endpoints that ask for such events, or to the
-- given one. It does so whether or not the event was acknowledged, and also while an attempt is in flight, because that
-- attempt may be the one that was lost. A delivery that is only waiting is not sent twice.
-- Returns the number of endpoints; null when there is no such event or it is older than p_oldest (an id).
-- Called by webhooks/queries.ts.
create or replace function resend_event(p_company uuid, p_now timestamptz, p_environment environment, p_event uuid, p_oldest uuid, p_endpoint uuid) returns integer
language plpgsql as $$
declare
  v_event event_log;
  v_endpoints uuid[];
begin
  select * into v_event from event_log v
  where v.company_id = p_company and v.environment = p_environment and v.id = p_event and v.id >= p_oldest;
  if v_event.id is null then return null; end if;
  -- Queues are locked before deliveries, as everywhere.
  perform lock_company_delivery_queues(p_company, p_environment);
  with added as (
    insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
    select p_company, p_environment, p_event, e.id, p_now from webhook_endpoint e
    where e.company_id = p_company and e.environment = p_environment and e.status = 'enabled' and wants_event(e.id, e.events, v_event.type, v_event.object_id)
      and (p_endpoint is null or e.id = p_endpoint)
    on conflict (company_id, environment, event_id, endpoint_id) do update set
      status = 'pending', attempt_count = 0, resend_count = d.resend_count + 1, due_at = excluded.due_at
    returning d.endpoint_id
  )
  select array_agg(added.endpoint_id) into v_endpoints from added;
  if v_endpoints is null then return 0; end if;
  perform wake_delivery_queues(p_now, array_fill(p_company, array[cardinality(v_endpoints)]), array_fill(p_environment, array[cardinality(v_endpoints)]), v_endpoints);
  return cardinality(v_endpoints);
end $$;
