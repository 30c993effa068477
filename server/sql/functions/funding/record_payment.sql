-- Records a transfer that the issuer confirmed, once however often it is reported. An exact payment in time completes the
-- invoice and credits the deposit and the fee. Any other payment goes to manual review with the reasons.
--
-- Returns 'completed', 'review', 'own_review' (the invoice was already closed), 'duplicate', 'mismatch' (the same payment key
-- with other content), 'not_ready' (the invoice is still being created: report it again later), 'too_many' or 'no_invoice'.
-- Only the first three write anything.
-- Called by funding/queries.ts.
create or replace function record_payment(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_key text, p_amount bigint, p_paid_at timestamptz,
  p_review_id uuid, p_pay_url text
) returns text
language plpgsql as $$
declare
  -- A person reviews them. More than this is an attack or a mistake.
  c_payments_max constant integer := 1000;
  c_lifetime constant interval := interval '60 minutes';
  v_invoice invoice;
  v_payment invoice_payment;
  v_count integer;
  v_sum bigint;
  v_late boolean;
  v_exact boolean;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_invoice from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  if not found then return 'no_invoice'; end if;
  select * into v_payment from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.payment_key = p_key;
  if found then
    return case when (v_payment.invoice_id, v_payment.amount, v_payment.paid_at) = (p_id, p_amount, p_paid_at::timestamptz(3))
      then 'duplicate' else 'mismatch' end;
  end if;
  if v_invoice.status = 'creating' then return 'not_ready'; end if;
  select count(*) into v_count from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id;
  if v_count >= c_payments_max then return 'too_many'; end if;

  insert into invoice_payment (company_id, environment, payment_key, invoice_id, amount, paid_at, recorded_at, decided)
  values (p_company, p_environment, p_key, p_id, p_amount, p_paid_at, p_now, v_invoice.status in ('completed', 'failed'));
  if v_invoice.status in ('completed', 'failed') then
    insert into payment_review (company_id, environment, id, invoice_id, payment_key, amount, created_at, status_at)
    values (p_company, p_environment, p_review_id, p_id, p_key, p_amount, p_now, p_now);
    return 'own_review';
  end if;

  -- The payments that await a decision, including this one. An invoice whose creation stayed unknown has no exact amount, so
  -- any tail is accepted.
  select count(*), sum(p.amount), bool_or(p.paid_at >= coalesce(v_invoice.expires_at, v_invoice.created_at + c_lifetime))
  into v_count, v_sum, v_late
  from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided;
  v_exact := case when v_invoice.pay_amount is null
    then v_sum > v_invoice.requested * 10000 and v_sum < (v_invoice.requested + 1) * 10000
    else v_sum = v_invoice.pay_amount end;
  v_invoice.received := v_sum;

  if v_exact and not v_late and v_count = 1 then
    -- The block is in time, but the invoice expired before the report came: it goes through review and is completed.
    if v_invoice.status = 'expired' then perform put_invoice_in_review(v_invoice, p_now, '{}', p_pay_url); end if;
    perform complete_invoice(v_invoice, p_now, v_invoice.requested, v_invoice.fee, p_pay_url);
    return 'completed';
  end if;
  perform put_invoice_in_review(v_invoice, p_now, array_remove(array[
    case when not v_exact and v_sum < coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'underpaid' end,
    case when not v_exact and v_sum >= coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'overpaid' end,
    case when v_late then 'paid_late' end,
    case when v_count > 1 then 'multiple_payments' end,
    case when v_invoice.pay_amount is null then 'issuer_unknown' end
  ], null), p_pay_url);
  return 'review';
end $$;
