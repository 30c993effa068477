-- Puts events into the lines of the enabled endpoints that asked for them, in the transaction that writes the events.
-- The arrays may be null: nothing happened. Across companies: a batch of operations may span several.
--
-- The lines are locked even when they have work already: a worker that finds a line empty must not put it to sleep
-- while somebody is about to add to it. In key order, like every lock on several lines: hence no deadlock.
create or replace function fan_out(p_now timestamptz, p_companies uuid[], p_environments environment[], p_events uuid[], p_types text[])
returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_companies uuid[];
  v_environments environment[];
  v_endpoints uuid[];
begin
  with added as (
    insert into delivery (company_id, environment, event_id, endpoint_id, due_at)
    select i.company_id, i.environment, i.event_id, e.id, p_now
    from unnest(p_companies, p_environments, p_events, p_types) as i (company_id, environment, event_id, type)
    join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment
      and e.status = 'enabled' and (e.events[1] = '*' or i.type = any (e.events))
    returning company_id, environment, endpoint_id
  )
  select array_agg(a.company_id), array_agg(a.environment), array_agg(a.endpoint_id)
  into v_companies, v_environments, v_endpoints
  from (select distinct company_id, environment, endpoint_id from added) a;
  if v_endpoints is not null then perform wake_lines(p_now, v_companies, v_environments, v_endpoints); end if;
end $$;

-- The lines have work that is due now. One that was due already is only locked: its row is not written again for every
-- event, and neither are its indexes.
create or replace function wake_lines(p_now timestamptz, p_companies uuid[], p_environments environment[], p_endpoints uuid[])
returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform lock_lines(p_companies, p_environments, p_endpoints);
  update webhook_line l set due_at = p_now
  from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id)
  where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
    and (l.due_at is null or l.due_at > p_now);
end $$;

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

-- All lines of a company, of which it has ten at most.
create or replace function lock_lines_of(p_company uuid, p_environment environment)
returns void
language plpgsql
set enable_seqscan = off
as $$
begin
  perform 1 from webhook_line l where l.company_id = p_company and l.environment = p_environment
  order by l.company_id, l.environment, l.endpoint_id for no key update;
end $$;
