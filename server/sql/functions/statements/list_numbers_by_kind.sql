-- Returns the numbers of an account's newest entries of one kind, from p_first up to p_last. Only of the kinds that
-- entry_of_rare_kind has; see list_event_ids_by_type for the settings.
-- Called by card-account/queries.ts.
create or replace function list_numbers_by_kind(
  p_company uuid, p_environment environment, p_kind text, p_first bigint, p_last bigint, p_limit integer
) returns table (number bigint)
language plpgsql stable
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select e.number from entry e
    where e.company_id = p_company and e.environment = p_environment and e.kind >= p_kind and e.kind <= p_kind
      and e.number >= p_first and e.number <= p_last
    order by e.kind desc, e.number desc limit p_limit;
end $$;
