-- Credits the account: writes a deposit entry and, if there is a fee, a fee entry. The caller holds the lock of the account
-- row. The index entry_deposits_once refuses a second credit for the same reference.
-- Called by complete_invoice, deposit_funds and end_payment_review.
create or replace function credit_account(
  p_company uuid, p_now timestamptz, p_environment environment, p_reference uuid, p_reference_type reference_type,
  p_amount bigint, p_fee bigint
) returns void
language plpgsql as $$
declare
  v_account account;
  v_at timestamptz;
begin
  select * into strict v_account from account a where a.company_id = p_company and a.environment = p_environment;
  v_at := greatest(p_now, v_account.last_entry_at);
  insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
  values (p_company, p_environment, v_account.sequence + 1, 'deposit', p_reference, p_reference_type, p_amount, 0,
          v_account.available + v_account.held + p_amount, v_account.held, v_at);
  if p_fee > 0 then
    insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
    values (p_company, p_environment, v_account.sequence + 2, 'fee', p_reference, p_reference_type, -p_fee, 0,
            v_account.available + v_account.held + p_amount - p_fee, v_account.held, v_at);
  end if;
  update account a set
    available = a.available + p_amount - p_fee,
    sequence = a.sequence + case when p_fee > 0 then 2 else 1 end,
    last_entry_at = v_at
  where a.company_id = p_company and a.environment = p_environment;
end $$;
