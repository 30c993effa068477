-- Ends the review of a payment that came after its invoice was closed. A completed review credits the payment under the review's own id.
-- The caller holds the lock of the account row and has checked the status.
-- Called by resolve_review.
create or replace function end_payment_review(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_end jsonb) returns void
language plpgsql as $$
declare
  v_deposit bigint := (p_end ->> 'deposit')::bigint;
  v_fee bigint := (p_end ->> 'fee')::bigint;
begin
  update payment_review r set status = p_end ->> 'status', status_at = p_now, deposit = v_deposit, fee = v_fee
  where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  if p_end ->> 'status' = 'completed' then perform credit_account(p_company, p_now, p_environment, p_id, 'rev', v_deposit, v_fee); end if;
end $$;
