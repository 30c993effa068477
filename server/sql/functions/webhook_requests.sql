-- What a company asks of the delivery: a ping, an event once more, or all that was missed.

-- A ping goes to its endpoint alone, whatever that asked for. Answers the event's id; null without such an enabled endpoint.
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
  perform wake_lines(p_now, array[p_company], array[p_environment], array[p_id]);
  return v_event;
end $$;

-- To the enabled endpoints that ask for such events, or to the one given, from the first attempt on, acknowledged or not,
-- also when an attempt is under way: whoever asks may have lost just that one. What only waits is not sent twice.
-- Answers to how many; null when there is no such event, or when it is older than p_oldest (an id).
create or replace function resend_event(p_company uuid, p_now timestamptz, p_environment environment, p_event uuid, p_oldest uuid, p_endpoint uuid) returns integer
language plpgsql as $$
declare
  v_event event_log;
  v_endpoints uuid[];
begin
  select * into v_event from event_log v
  where v.company_id = p_company and v.environment = p_environment and v.id = p_event and v.id >= p_oldest;
  if v_event.id is null then return null; end if;
  -- Lines before deliveries, as everywhere.
  perform lock_lines_of(p_company, p_environment);
  with added as (
    insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
    select p_company, p_environment, p_event, e.id, p_now from webhook_endpoint e
    where e.company_id = p_company and e.environment = p_environment and e.status = 'enabled' and wants_event(e, v_event)
      and (p_endpoint is null or e.id = p_endpoint)
    on conflict (company_id, environment, event_id, endpoint_id) do update set
      status = 'pending', attempt_count = 0, resend_count = d.resend_count + 1, due_at = p_now
    returning d.endpoint_id
  )
  select array_agg(added.endpoint_id) into v_endpoints from added;
  if v_endpoints is null then return 0; end if;
  perform wake_lines(p_now, array_fill(p_company, array[cardinality(v_endpoints)]), array_fill(p_environment, array[cardinality(v_endpoints)]), v_endpoints);
  return cardinality(v_endpoints);
end $$;

create or replace function wants_event(p_endpoint webhook_endpoint, p_event event_log) returns boolean
language sql immutable as $$
  select case when p_event.type = 'webhook.ping' then p_event.object_id = p_endpoint.id
              else p_endpoint.events[1] = '*' or p_event.type = any (p_endpoint.events) end
$$;

-- The next part of a recovery: a thousand events at most, of which those that the endpoint asks for and has not
-- acknowledged go into its line. Answers whether there was a recovery to go on with. Across companies: it takes any.
create or replace function recover_deliveries(p_now timestamptz) returns boolean
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_line webhook_line;
  v_last uuid;
begin
  select * into v_line from webhook_line l where l.recover_after is not null order by l.endpoint_id limit 1 for no key update skip locked;
  if v_line.endpoint_id is null then return false; end if;
  with part as (
    select v.id from event_log v
    where v.company_id = v_line.company_id and v.environment = v_line.environment and v.id > v_line.recover_after and v.id <= v_line.recover_until
    order by v.id limit 1000
  ), added as (
    insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
    select v_line.company_id, v_line.environment, v.id, e.id, p_now
    from part
    join event_log v on v.company_id = v_line.company_id and v.environment = v_line.environment and v.id = part.id
    join webhook_endpoint e on e.company_id = v_line.company_id and e.environment = v_line.environment and e.id = v_line.endpoint_id
    where wants_event(e, v)
    on conflict (company_id, environment, event_id, endpoint_id) do update set status = 'pending', attempt_count = 0, due_at = p_now
      where d.status = 'failed'
  )
  select case when count(*) = 1000 then (array_agg(part.id order by part.id desc))[1] end into v_last from part;
  update webhook_line l set
    recover_after = v_last,
    recover_until = case when v_last is not null then l.recover_until end,
    due_at = case when e.status = 'enabled' then least(l.due_at, p_now) end
  from webhook_endpoint e
  where l.company_id = v_line.company_id and l.environment = v_line.environment and l.endpoint_id = v_line.endpoint_id
    and e.company_id = l.company_id and e.environment = l.environment and e.id = l.endpoint_id;
  return true;
end $$;
