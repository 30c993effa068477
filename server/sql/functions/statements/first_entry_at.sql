-- Returns the number of the first entry at or after an instant that is not archived, or one more than the newest when there is none. Entries never
-- go back in time, so a binary search finds it with about twenty look-ups by primary key in a million entries. An index on
-- the time would cost every movement a write.
-- Called by card-account/queries.ts, account_statement, archivable_range, balance_history and entry_range.
create or replace function first_entry_at(p_company uuid, p_environment environment, p_newest bigint, p_at timestamptz) returns bigint
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_low bigint := archived_number(p_company, p_environment) + 1;
  v_high bigint := p_newest + 1;
  v_middle bigint;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high) / 2;
    if (select e.created_at from entry e where e.company_id = p_company and e.environment = p_environment and e.number = v_middle) < p_at
    then v_low := v_middle + 1;
    else v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;
