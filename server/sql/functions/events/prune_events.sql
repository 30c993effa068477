-- Deletes a bounded number of events older than p_before (an id), with their deliveries and attempts. Returns whether there
-- may be more. The first event of an operation is the operation itself, which stays: only its deliveries are deleted.
-- Called by events/queries.ts.
create or replace function prune_events(p_company uuid, p_environment environment, p_before uuid) returns boolean
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_until uuid;
begin
  -- The newest id among the thousand oldest. Everything up to it is deleted.
  select o.id into v_until from (
    select v.id from (
      (select v.id from event v where v.company_id = p_company and v.environment = p_environment and v.id < p_before order by v.id limit 1000)
      union all
      (select d.event_id from delivery d where d.company_id = p_company and d.environment = p_environment and d.event_id < p_before order by d.event_id limit 1000)
    ) v order by v.id limit 1000
  ) o order by o.id desc limit 1;
  if v_until is null then return false; end if;
  delete from webhook_attempt a where a.company_id = p_company and a.environment = p_environment and a.event_id <= v_until;
  delete from delivery d where d.company_id = p_company and d.environment = p_environment and d.event_id <= v_until;
  delete from event v where v.company_id = p_company and v.environment = p_environment and v.id <= v_until;
  return true;
end $$;
