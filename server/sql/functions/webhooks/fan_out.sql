-- Adds events to the delivery queues of the enabled endpoints that asked for them, in the transaction that writes the
-- events. The arrays may be null, which means no events. A batch of operations may span several companies.
--
-- The queues are locked even when they have work already: a worker that finds a queue empty must not mark it idle while
-- another transaction is about to add to it. Locks are taken in key order, like every lock on several queues, so there is
-- no deadlock.
-- Called by accept_operation, accept_operations, claim_listed, emit_event and settle_operations.
create or replace function fan_out(p_now timestamptz, p_companies uuid[], p_environments environment[], p_events uuid[], p_types text[])
returns void
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_company uuid := batch_company(p_companies);
  v_companies uuid[];
  v_environments environment[];
  v_endpoints uuid[];
begin
  if p_companies is null then return; end if;
  with added as (
    insert into delivery (company_id, environment, event_id, endpoint_id, due_at)
    select i.company_id, i.environment, i.event_id, e.id, p_now
    from unnest(p_companies, p_environments, p_events, p_types) as i (company_id, environment, event_id, type)
    join webhook_endpoint e on e.company_id = coalesce(v_company, i.company_id)
      and e.environment = i.environment
      and e.status = 'enabled' and (e.events[1] = '*' or i.type = any (e.events))
    returning company_id, environment, endpoint_id
  )
  select array_agg(a.company_id), array_agg(a.environment), array_agg(a.endpoint_id)
  into v_companies, v_environments, v_endpoints
  from (select distinct company_id, environment, endpoint_id from added) a;
  if v_endpoints is not null then perform wake_delivery_queues(p_now, v_companies, v_environments, v_endpoints); end if;
end $$;
