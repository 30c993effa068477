-- The number of the first entry at or after an instant; one more than the newest when there is none. Entries never go
-- back in time, so that halving the numbers finds it: some twenty probes of the primary key for a million entries, and
-- no index on the time that every movement would have to write.
-- Called by account_statement.
create or replace function first_entry_at(p_company uuid, p_environment environment, p_newest bigint, p_at timestamptz) returns bigint
language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_low bigint := 1;
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
