-- Credits money that came in, once per idempotency key: a deposit entry, and a fee entry when there is a fee.
-- The only writer of deposits. verdict: 'credited', 'replay', 'conflict' (with the original) or 'limit'.
create or replace function deposit_funds(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint,
  p_limit bigint
) returns table (verdict text, original uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_account account;
  v_at timestamptz;
begin
  select * into strict v_account from account a
  where a.company_id = p_company and a.environment = p_environment for no key update;

  return query
    select case when d.request_digest = decode(p_digest, 'hex') then 'replay' else 'conflict' end, d.id
    from deposit d where d.company_id = p_company and d.environment = p_environment and d.idempotency_key = p_key;
  if found then return; end if;
  if v_account.available + v_account.held + p_amount > p_limit then
    return query select 'limit', null::uuid;
    return;
  end if;

  v_at := greatest(p_now, v_account.last_entry_at);
  insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
  values (p_company, p_environment, p_id, p_amount, p_key, decode(p_digest, 'hex'), p_now);
  insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
  values (p_company, p_environment, v_account.sequence + 1, 'deposit', p_id, p_amount, 0,
          v_account.available + v_account.held + p_amount, v_account.held, v_at);
  if p_fee > 0 then
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    values (p_company, p_environment, v_account.sequence + 2, 'fee', p_id, -p_fee, 0,
            v_account.available + v_account.held + p_amount - p_fee, v_account.held, v_at);
  end if;
  update account a set
    available = a.available + p_amount - p_fee,
    sequence = a.sequence + case when p_fee > 0 then 2 else 1 end,
    last_entry_at = v_at
  where a.company_id = p_company and a.environment = p_environment;
  return query select 'credited', p_id;
end $$;
