-- The next part of a recovery: a thousand events at most, of which those that the endpoint asks for and has not
-- acknowledged go into its line. Answers whether there was a recovery to go on with. Across companies: it takes any.
-- Called by webhooks/queries.ts.
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
