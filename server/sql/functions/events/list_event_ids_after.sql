-- Returns the ids of a company's events of one type after p_after, up to p_until, the oldest first. Not of the two types that
-- event_by_type leaves out; see list_event_ids_by_type, which lists the newest first, for the settings.
-- Called by events/stream/queries.ts.
create or replace function list_event_ids_after(
  p_company uuid, p_environment environment, p_type text, p_after uuid, p_until uuid, p_limit integer
) returns table (id uuid)
language plpgsql stable
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    select v.id from event v
    where v.company_id = p_company and v.environment = p_environment and v.type >= p_type and v.type <= p_type
      and v.id > p_after and v.id <= p_until
    order by v.type, v.id limit p_limit;
end $$;
