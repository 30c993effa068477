-- Records the outcome of a request to the issuer: 'pending' (with address, amount and expiry), 'failed', 'manual_review', or
-- 'creating' (still unknown; look up again at p_due). Returns false when the invoice is no longer being created.
-- An address and amount that are still reserved for another invoice are not a valid answer: the invoice goes to review.
-- Called by funding/queries.ts.
create or replace function settle_invoice(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_address text, p_pay_amount bigint,
  p_expires_at timestamptz, p_free_at timestamptz, p_failure_code text, p_failure_message text, p_due timestamptz, p_look_ups integer, p_pay_url text
) returns boolean
language plpgsql as $$
declare
  v_invoice invoice;
  v_status text := p_status;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  perform 1 from invoice i
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'creating';
  if not found then return false; end if;

  if v_status = 'pending' then
    insert into payment_slot as s (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
    values (p_address, p_pay_amount, p_company, p_environment, p_id, p_expires_at, p_free_at)
    on conflict (address, pay_amount) do update set
      company_id = excluded.company_id, environment = excluded.environment, invoice_id = excluded.invoice_id,
      expires_at = excluded.expires_at, free_at = excluded.free_at
    where s.free_at <= p_now or (s.company_id, s.environment, s.invoice_id) = (p_company, p_environment, p_id);
    if not found then v_status := 'manual_review'; end if;
  end if;

  update invoice i set
    status = v_status,
    status_at = case when v_status = 'creating' then i.status_at else p_now end,
    address = case when v_status = 'pending' then p_address end,
    pay_amount = case when v_status = 'pending' then p_pay_amount end,
    expires_at = case when v_status = 'pending' then p_expires_at end,
    reasons = case when v_status = 'manual_review' then array['issuer_unknown'] else i.reasons end,
    failure_code = p_failure_code,
    failure_message = p_failure_message,
    look_up_count = coalesce(p_look_ups, i.look_up_count)
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id
  returning * into v_invoice;
  perform settle_request(p_company, p_environment, p_id, case v_status when 'creating' then 'processing' else v_status end, p_due);
  if v_status <> 'creating' then
    perform emit_event(p_company, p_environment, 'invoice.' || v_status, p_id, invoice_json(v_invoice, p_pay_url), p_now);
  end if;
  return true;
end $$;
