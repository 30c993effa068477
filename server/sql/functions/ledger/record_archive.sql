-- Records that a file has the entries of an account from p_first to p_number. From then on they are ignored and can be deleted. The
-- caller has read the file back and verified it: p_hash is the value of the chain at its end.
-- Returns false, and records nothing, if another run has archived the account further meanwhile.
-- Called by archive/queries.ts.
create or replace function record_archive(
  p_company uuid, p_now timestamptz, p_environment environment, p_first bigint, p_number bigint, p_hash text, p_file_name text,
  p_file_digest text
) returns boolean
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_archived bigint;
  v_reservations bigint;
  v_deposits bigint;
  v_more_reservations bigint;
  v_more_deposits bigint;
  v_balance bigint;
  v_held bigint;
  v_last_at timestamptz;
begin
  -- Before the lock, because entries do not change and there may be a million.
  select count(*) filter (where e.kind = 'reservation'), count(*) filter (where e.kind = 'deposit')
  into v_more_reservations, v_more_deposits
  from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number >= p_first and e.number <= p_number;

  -- Two runs record one after the other, and an operation that is being accepted is seen.
  perform from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select a.number, a.reservations, a.deposits into v_archived, v_reservations, v_deposits from entry_archive a
  where a.company_id = p_company and a.environment = p_environment order by a.number desc limit 1;
  if coalesce(v_archived, 0) <> p_first - 1 then return false; end if;

  select e.balance, e.held, e.created_at into strict v_balance, v_held, v_last_at from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number = p_number;
  perform from seal s
  where s.company_id = p_company and s.environment = p_environment and s.number = p_number and s.hash = decode(p_hash, 'hex');
  if not found then raise 'the archive up to entry % does not fit the seal', p_number; end if;
  perform from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number = p_number + 1 and e.created_at <= v_last_at;
  if found then raise 'entry % has the same time as the one after it', p_number; end if;
  perform from issuer_request q
  join operation o on o.company_id = p_company and o.environment = p_environment and o.id = q.id and o.created_at <= v_last_at
  where q.company_id = p_company and q.environment = p_environment;
  if found then raise 'an operation from before entry % is not final', p_number; end if;

  insert into entry_archive (company_id, environment, number, hash, balance, held, last_at, reservations, deposits, file_name,
                             file_digest, archived_at)
  values (p_company, p_environment, p_number, decode(p_hash, 'hex'), v_balance, v_held, v_last_at,
          coalesce(v_reservations, 0) + v_more_reservations, coalesce(v_deposits, 0) + v_more_deposits, p_file_name,
          decode(p_file_digest, 'hex'), p_now);
  return true;
end $$;
