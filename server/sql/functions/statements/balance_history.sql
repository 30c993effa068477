-- Returns the balance of a card account and what was held of it at the end of each of p_days UTC days from p_from on. Each day
-- costs one binary search, however many entries it has. A day before the first entry has zero. The caller must refuse
-- days of which entries are archived.
-- Called by card-account/queries.ts.
create or replace function balance_history(p_company uuid, p_environment environment, p_from timestamptz, p_days integer)
returns table (day date, balance bigint, held bigint)
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set timezone = 'UTC'
as $$
declare
  v_newest bigint;
  v_last bigint;
begin
  select a.sequence into strict v_newest from account a where a.company_id = p_company and a.environment = p_environment;
  for v_day in 0 .. p_days - 1 loop
    day := (p_from + make_interval(days => v_day))::date;
    v_last := first_entry_at(p_company, p_environment, v_newest, p_from + make_interval(days => v_day + 1)) - 1;
    select e.balance, e.held into balance, held from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number = v_last;
    if not found then
      select a.balance, a.held into balance, held from entry_archive a
      where a.company_id = p_company and a.environment = p_environment and a.number = v_last;
    end if;
    balance := coalesce(balance, 0);
    held := coalesce(held, 0);
    return next;
  end loop;
end $$;
