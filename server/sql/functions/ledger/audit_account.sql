-- Derives everything about an account again from its entries, operations and deposits, compares the queue of requests to the issuer with
-- what is open, and returns each difference. What is archived counts with the figures that the archive recorded.
-- The function is stable, so all of its queries read one snapshot, even while money moves.
-- It reads everything, and the planner has no figures for the parts. A nested loop compared each operation with each group of entries.
-- Called by ledger/queries.ts.
create or replace function audit_account(p_company uuid, p_environment environment) returns table (entries bigint, difference text)
language plpgsql stable
set jit = off
set enable_nestloop = off
as $$
#variable_conflict use_column
declare
  v_account account;
  v_seal seal;
  -- What is archived: the last entry, the state after it, and the number of reservations and deposits up to it.
  v_archived bigint;
  v_from bigint;
  v_hash bytea;
  v_balance bigint;
  v_held bigint;
  v_last_at timestamptz;
  v_reservations bigint;
  v_deposits bigint;
begin
  select * into strict v_account from account a where a.company_id = p_company and a.environment = p_environment;

  select r.number, r.hash, r.balance, r.held, r.last_at, r.reservations, r.deposits
  into v_archived, v_hash, v_balance, v_held, v_last_at, v_reservations, v_deposits
  from entry_archive r where r.company_id = p_company and r.environment = p_environment order by r.number desc limit 1;
  if not found then
    v_archived := 0;
    v_hash := chain_start(p_company, p_environment);
    v_balance := 0;
    v_held := 0;
    v_last_at := '-infinity';
  end if;

  -- The balance is the sum of the entries, numbers have no gaps, and running figures and times agree.
  return query
    with e as (
      select n.number, n.balance, n.held, n.created_at, n.available_delta, n.held_delta,
             v_balance + sum(n.available_delta + n.held_delta) over w as balance_derived, v_held + sum(n.held_delta) over w as held_derived,
             v_archived + row_number() over w as position, lag(n.created_at, 1, v_last_at) over w as previous_at
      from entry n where n.company_id = p_company and n.environment = p_environment and n.number > v_archived
      window w as (order by n.number)
    ), t as (
      select count(*) as entries, v_archived + count(*) as sequence, v_balance - v_held + coalesce(sum(available_delta), 0) as available,
             v_held + coalesce(sum(held_delta), 0) as held,
             min(number) filter (where number <> position) as gap,
             min(number) filter (where balance <> balance_derived or held <> held_derived) as wrong,
             min(number) filter (where created_at < previous_at) as back_in_time
      from e
    )
    select t.entries, d.difference from t, lateral (values
      (case when t.sequence <> v_account.sequence then format('sequence is %s, entries are %s', v_account.sequence, t.sequence) end),
      (case when t.available <> v_account.available then format('available is %s, entries say %s', v_account.available, t.available) end),
      (case when t.held <> v_account.held then format('held is %s, entries say %s', v_account.held, t.held) end),
      (case when t.gap is not null then format('numbering breaks before entry %s', t.gap) end),
      (case when t.wrong is not null then format('running figures are wrong at entry %s', t.wrong) end),
      (case when t.back_in_time is not null then format('entry %s is older than the one before it', t.back_in_time) end),
      (null)
    ) d (difference);

  -- The held amount is what unfinished operations reserve, and every operation has exactly the entries of its status. One whose
  -- reservation is archived is final, and what is left of its entries is all or nothing of what ended it.
  return query
    with o as (
      select n.id, n.status, n.amount, n.fee, n.created_at from operation n where n.company_id = p_company and n.environment = p_environment
    ), e as (
      select n.reference, sum(n.held_delta) filter (where n.kind = 'reservation') as reserved, -sum(n.held_delta) filter (where n.kind = 'capture') as captured,
             -sum(n.held_delta) filter (where n.kind = 'fee') as charged, -sum(n.held_delta) filter (where n.kind = 'release') as released,
             count(*) filter (where n.kind = 'reservation') as reservations
      from entry n where n.company_id = p_company and n.environment = p_environment and n.number > v_archived and n.kind in ('reservation', 'capture', 'release', 'fee') and n.held_delta <> 0
      group by n.reference
    ), differing as (
      select coalesce(o.id, e.reference) as id, o.status
      from o full join e on e.reference = o.id
      where o.id is null or e.reservations > 1 or e.reserved <> o.amount + o.fee
        or (coalesce(e.reservations, 0) = 0 and (o.created_at > v_last_at or o.status in ('queued', 'processing', 'manual_review')))
        or (e.reference is not null and (
          coalesce(e.captured, 0) <> case when o.status = 'completed' then o.amount else 0 end
          or coalesce(e.charged, 0) <> case when o.status = 'completed' then o.fee else 0 end
          or coalesce(e.released, 0) <> case when o.status = 'failed' then o.amount + o.fee else 0 end))
    )
    select 0::bigint, format('entries do not fit operation %s (%s)', d.id, coalesce(d.status, 'missing')) from (select * from differing limit 100) d
    union all
    select 0, format('held is %s, unfinished operations reserve %s', v_account.held, t.held)
    from (select coalesce(sum(o.amount + o.fee), 0) as held from o where o.status in ('queued', 'processing', 'manual_review')) t
    where t.held <> v_account.held
    union all
    select 0, format('%s reservations are archived, %s operations have none', v_reservations, t.without)
    from (select count(*) as without from o left join e on e.reference = o.id where coalesce(e.reservations, 0) = 0) t
    where t.without <> v_reservations;

  -- The queue has exactly what is asked of the issuer and not settled: operations, invoices whose creation is not answered, and card
  -- changes, each with its kind, its status and what it holds. An invoice in review has no address if its creation stayed unknown; with
  -- an address, the review is about a payment.
  return query
    with o as (
      select n.id, n.type as kind, n.status, n.amount + n.fee as held from operation n
      where n.company_id = p_company and n.environment = p_environment and n.status in ('queued', 'processing', 'manual_review')
      union all
      select n.id, 'invoice', case n.status when 'creating' then 'processing' else n.status end, 0 from invoice n
      where n.company_id = p_company and n.environment = p_environment
        and (n.status = 'creating' or (n.status = 'manual_review' and n.address is null))
      union all
      select n.id, 'card_status', n.status, 0 from card_change n
      where n.company_id = p_company and n.environment = p_environment and n.status in ('processing', 'manual_review')
    ), q as (
      select n.id, n.kind, n.status, n.held from issuer_request n where n.company_id = p_company and n.environment = p_environment
    )
    select 0::bigint, format('%s %s %s, the queue says %s',
      case coalesce(t.kind, t.queued_kind) when 'invoice' then 'invoice' when 'card_status' then 'card change' else 'operation' end, t.id, d.own, d.queued)
    from (
      select coalesce(o.id, q.id) as id, o.kind, o.status, o.held, q.kind as queued_kind, q.status as queued_status, q.held as queued_held
      from o full join q on q.id = o.id
      where (o.kind, o.status, o.held) is distinct from (q.kind, q.status, q.held) limit 100
    ) t, lateral (values (
      case when t.status is distinct from t.queued_status then 'is ' || coalesce(t.status, 'not open')
        when t.kind <> t.queued_kind then 'is of the kind ' || t.kind else 'holds ' || t.held end,
      case when t.status is distinct from t.queued_status then coalesce(t.queued_status, 'nothing')
        when t.kind <> t.queued_kind then t.queued_kind else t.queued_held::text end
    )) d (own, queued);

  -- Every deposit entry belongs to a sandbox deposit, a completed invoice or a completed payment review, and the reverse.
  return query
    with d as (
      select n.id, 'fund'::reference_type as type, n.amount as deposit, 0::bigint as fee from deposit n where n.company_id = p_company and n.environment = p_environment
      union all
      select n.id, 'inv', n.deposit, n.fee from invoice n
      where n.company_id = p_company and n.environment = p_environment and n.status = 'completed'
      union all
      select n.id, 'rev', n.deposit, n.fee from payment_review n
      where n.company_id = p_company and n.environment = p_environment and n.status = 'completed'
    ), e as (
      select n.reference, n.reference_type as type, sum(n.available_delta) filter (where n.kind = 'deposit') as deposited,
             coalesce(-sum(n.available_delta) filter (where n.kind = 'fee'), 0) as charged
      from entry n
      where n.company_id = p_company and n.environment = p_environment and n.number > v_archived and (n.kind = 'deposit' or (n.kind = 'fee' and n.held_delta = 0))
      group by n.reference, n.reference_type
    )
    select 0::bigint, format('entries do not fit deposit %s', t.id) from (
      select coalesce(d.id, e.reference) as id from d full join e on e.reference = d.id and e.type = d.type
      where d.id is null or (e.reference is null and v_archived = 0)
        or (e.reference is not null and (e.deposited is distinct from d.deposit or e.charged <> d.fee)) limit 100
    ) t
    union all
    select 0, format('%s deposits are archived, %s have no entries', v_deposits, t.without)
    from (select count(*) as without from d left join e on e.reference = d.id and e.type = d.type where e.reference is null) t
    where t.without <> v_deposits;

  return query
    select 0::bigint, format('%s issues counted in %s, operations say %s', v_account.issued_count, to_char(v_account.issued_month, 'YYYY-MM'), t.issues)
    from (select count_issues(p_company, p_environment, v_account.issued_month) as issues) t
    where t.issues <> v_account.issued_count and v_account.issued_month > '1970-01-01';

  -- Every seal is the value of the chain over the current entries, which continue what is archived.
  v_from := v_archived;
  if v_archived > 0 and not exists (
    select from seal s where s.company_id = p_company and s.environment = p_environment and s.number = v_archived and s.hash = v_hash
  ) then
    return query select 0::bigint, format('the archive up to entry %s does not fit its seal', v_archived);
  end if;
  for v_seal in
    select * from seal s where s.company_id = p_company and s.environment = p_environment and s.number > v_archived order by s.number
  loop
    if v_seal.hash is distinct from chain_over(p_company, p_environment, v_from, v_hash, v_seal.number) then
      return query select 0::bigint, format('the hash chain breaks between entries %s and %s', v_from + 1, v_seal.number);
    end if;
    v_from := v_seal.number;
    v_hash := v_seal.hash;
  end loop;
end $$;
