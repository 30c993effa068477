-- Credits a sandbox deposit, once per idempotency key.
-- verdict: 'credited', 'replay', 'conflict' (with the original deposit) or 'limit'.
-- Called by ledger/queries.ts.
create or replace function deposit_funds(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint,
  p_limit bigint
) returns table (verdict text, original uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_account account;
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

  insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
  values (p_company, p_environment, p_id, p_amount, p_key, decode(p_digest, 'hex'), p_now);
  perform credit_account(p_company, p_now, p_environment, p_id, 'fund', p_amount, p_fee);
  return query select 'credited', p_id;
end $$;
