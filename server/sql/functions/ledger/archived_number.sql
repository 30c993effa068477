-- Returns the number of the last entry of an account that is archived, or zero.
-- Called by entry_range and first_entry_at.
create or replace function archived_number(p_company uuid, p_environment environment) returns bigint
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_number bigint;
begin
  select a.number into v_number from entry_archive a
  where a.company_id = p_company and a.environment = p_environment order by a.number desc limit 1;
  return coalesce(v_number, 0);
end $$;
