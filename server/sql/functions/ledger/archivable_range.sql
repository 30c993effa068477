-- Returns the next entries of an account that can be archived, at most p_limit of them, and the state of the account before and after
-- them, or no row. They follow the last archive and are older than p_before. They end at a seal, and before the reservation of
-- any operation that is not final. The entry after them has a later time, so that what one transaction wrote is not divided, and
-- a time tells which entries are archived.
-- Called by archive/queries.ts.
create or replace function archivable_range(p_company uuid, p_environment environment, p_before timestamptz, p_limit bigint)
returns table (
  first_number bigint, last_number bigint, hash_before bytea, hash_after bytea, opening bigint, opening_held bigint,
  closing bigint, closing_held bigint, last_at timestamptz
)
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_archived bigint;
  v_newest bigint;
  v_before timestamptz;
  v_last bigint;
begin
  select a.number, a.hash, a.balance, a.held into v_archived, hash_before, opening, opening_held from entry_archive a
  where a.company_id = p_company and a.environment = p_environment order by a.number desc limit 1;
  if not found then
    v_archived := 0;
    hash_before := chain_start(p_company, p_environment);
    opening := 0;
    opening_held := 0;
  end if;

  -- A reservation is never older than its operation.
  select least(p_before, min(o.created_at)) into v_before
  from issuer_request q
  join operation o on o.company_id = p_company and o.environment = p_environment and o.id = q.id
  where q.company_id = p_company and q.environment = p_environment;
  select a.sequence into strict v_newest from account a where a.company_id = p_company and a.environment = p_environment;
  v_last := least(first_entry_at(p_company, p_environment, v_newest, v_before) - 1, v_archived + p_limit);

  select s.number, s.hash, e.balance, e.held, e.created_at into last_number, hash_after, closing, closing_held, last_at
  from seal s
  join entry e on e.company_id = p_company and e.environment = p_environment and e.number = s.number
  left join entry n on n.company_id = p_company and n.environment = p_environment and n.number = s.number + 1
  where s.company_id = p_company and s.environment = p_environment and s.number > v_archived
    and s.number <= v_last and (n.number is null or n.created_at > e.created_at)
  order by s.number desc limit 1;
  if not found then return; end if;
  first_number := v_archived + 1;
  return next;
end $$;
