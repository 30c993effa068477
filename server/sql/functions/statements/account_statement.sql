-- One row. `lines` has one line per entry, oldest first: kind|prefix of the reference|reference|balance|availableDelta|heldDelta|
-- time, amounts in cents. One text instead of ten thousand rows: the driver's work per row would be the larger part
-- of a statement's time. Above p_limit entries there are no lines, but the first one that is too many.
-- The time is written as PostgreSQL writes it in UTC, which costs a third of what its number of seconds does.
-- A deposit or card is looked up by its primary key, the only index that fits (the others are partial); not by `exists`, which
-- the planner may turn into reading all of the company's. A transaction has other indexes that begin with company_id, and on a
-- table without statistics one of them was taken: so it is looked up in the order of its primary key, with sorting off.
-- Called by statements/queries.ts.
create or replace function account_statement(p_company uuid, p_environment environment, p_from timestamptz, p_until timestamptz, p_limit bigint)
returns table (
  company_name text, first_number bigint, last_number bigint, opening bigint, opening_held bigint, closing bigint,
  incoming bigint, outgoing bigint, hash_before bytea, hash_after bytea, too_many_at timestamptz, lines text
)
language plpgsql stable
set enable_seqscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
set timezone = 'UTC'
set datestyle = 'ISO'
as $$
declare
  v_newest bigint;
begin
  select a.sequence, c.name into strict v_newest, company_name
  from account a join company c on c.id = a.company_id where a.company_id = p_company and a.environment = p_environment;
  first_number := first_entry_at(p_company, p_environment, v_newest, p_from);
  last_number := first_entry_at(p_company, p_environment, v_newest, p_until) - 1;
  if last_number - first_number + 1 > p_limit then
    select e.created_at into too_many_at from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number = first_number + p_limit;
    return next;
    return;
  end if;

  select e.balance, e.held into opening, opening_held from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number = first_number - 1;
  opening := coalesce(opening, 0);
  opening_held := coalesce(opening_held, 0);
  select coalesce(sum(r.amount) filter (where r.amount > 0), 0), coalesce(-sum(r.amount) filter (where r.amount < 0), 0), string_agg(r.line, E'\n' order by r.number)
  into incoming, outgoing, lines
  from (
    select e.number, e.available_delta + e.held_delta as amount,
      concat_ws('|', e.kind, case
        when e.kind in ('reservation', 'capture', 'release') or e.held_delta <> 0 then 'op'
        when e.kind = 'adjustment' then case
          when (select true from card c where c.company_id = p_company and c.environment = p_environment and c.id = e.reference) then 'card'
          when e.reference = (select t.id from transaction t where (t.company_id, t.environment, t.id) >= (p_company, p_environment, e.reference)
          order by t.company_id, t.environment, t.id limit 1) then 'txn'
          else 'op' end
        when (select true from deposit d where d.company_id = p_company and d.environment = p_environment and d.id = e.reference) then 'fund'
        else 'inv'
      end, e.reference, e.balance, e.available_delta, e.held_delta, e.created_at) as line
    from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number between first_number and last_number
  ) r;
  select coalesce((select e.balance from entry e where e.company_id = p_company and e.environment = p_environment and e.number = last_number), opening)
  into closing;
  hash_before := chain_at(p_company, p_environment, first_number - 1);
  hash_after := chain_at(p_company, p_environment, last_number);
  return next;
end $$;
