-- Returns the ids of a company's newest events of one type, from p_from on and below p_below. Not of the two types that event_by_type
-- leaves out. The order and the comparison of the type, and the settings, let the planner use only that index: without
-- statistics the primary key looks as good, and all of the company's events would be read for the few of the type.
-- Called by events/queries.ts.
create or replace function list_event_ids_by_type(
  p_company uuid, p_environment environment, p_type text, p_from uuid, p_below uuid, p_limit integer
) returns table (id uuid)
language plpgsql stable
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select v.id from event v
    where v.company_id = p_company and v.environment = p_environment and v.type >= p_type and v.type <= p_type
      and v.id >= p_from and v.id < p_below
    order by v.type desc, v.id desc limit p_limit;
end $$;
