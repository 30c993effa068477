-- Carries out an operator's decision on a payment that came after its invoice was closed, and writes the audit record. A
-- completed review credits the payment under the review's own id. Returns what resolve_invoice returns.
-- Called by funding/queries.ts.
create or replace function resolve_payment_review(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_deposit bigint, p_fee bigint, p_audit_record jsonb
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select r.status into v_status from payment_review r
  where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  if v_status is distinct from 'manual_review' then return v_status; end if;
  update payment_review r set status = p_status, status_at = p_now, deposit = p_deposit, fee = p_fee
  where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  if p_status = 'completed' then perform credit_account(p_company, p_now, p_environment, p_id, 'rev', p_deposit, p_fee); end if;
  perform record_audit(p_company, p_audit_record);
  return 'resolved';
end $$;
