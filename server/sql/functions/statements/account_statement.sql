-- Returns the statement of a card account for a range of instants as one row, read from one snapshot.
-- `lines` has one line per entry, oldest first: kind|reference_type|reference|balance|available_delta|held_delta|created_at,
-- with amounts in cents. One text instead of ten thousand rows, because the driver's work per row would be the larger part of
-- a statement's time. The time is written as PostgreSQL writes it in UTC, which costs a third of computing milliseconds.
-- Entries that are archived are left out: the caller must refuse a range that begins before them.
-- With more than p_limit entries there are no lines, and too_many_at is the time of the first entry above the limit.
-- Called by card-account/queries.ts.
create or replace function account_statement(p_company uuid, p_environment environment, p_from timestamptz, p_until timestamptz, p_limit bigint)
returns table (
  company_name text, first_number bigint, last_number bigint, opening bigint, opening_held bigint, closing bigint,
  incoming bigint, outgoing bigint, hash_before bytea, hash_after bytea, too_many_at timestamptz, lines text
)
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
set timezone = 'UTC'
set datestyle = 'ISO'
as $$
declare
  v_newest bigint;
begin
  select a.sequence into strict v_newest from account a where a.company_id = p_company and a.environment = p_environment;
  select c.name into strict company_name from company c where c.id = p_company;
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
  if not found then
    select a.balance, a.held into opening, opening_held from entry_archive a
    where a.company_id = p_company and a.environment = p_environment and a.number = first_number - 1;
  end if;
  opening := coalesce(opening, 0);
  opening_held := coalesce(opening_held, 0);
  select coalesce(sum(r.amount) filter (where r.amount > 0), 0), coalesce(-sum(r.amount) filter (where r.amount < 0), 0), string_agg(r.line, E'\n' order by r.number)
  into incoming, outgoing, lines
  from (
    select e.number, e.available_delta + e.held_delta as amount,
      concat_ws('|', e.kind, e.reference_type, e.reference, e.balance, e.available_delta, e.held_delta, e.created_at) as line
    from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number between first_number and last_number
  ) r;
  select coalesce((select e.balance from entry e where e.company_id = p_company and e.environment = p_environment and e.number = last_number), opening)
  into closing;
  hash_before := chain_at(p_company, p_environment, first_number - 1);
  hash_after := chain_at(p_company, p_environment, last_number);
  return next;
end $$;
