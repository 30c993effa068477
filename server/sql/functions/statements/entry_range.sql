-- Returns the numbers of the first and the last entry of a card account in a range of instants, both inclusive. A bound that is
-- null is the first entry that is not archived, or the newest.
-- Called by card-account/queries.ts.
create or replace function entry_range(p_company uuid, p_environment environment, p_from timestamptz, p_until timestamptz)
returns table (first_number bigint, last_number bigint)
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_newest bigint;
begin
  select a.sequence into strict v_newest from account a where a.company_id = p_company and a.environment = p_environment;
  first_number := case when p_from is null then archived_number(p_company, p_environment) + 1 else first_entry_at(p_company, p_environment, v_newest, p_from) end;
  last_number := case when p_until is null then v_newest else first_entry_at(p_company, p_environment, v_newest, p_until) - 1 end;
  return next;
end $$;
