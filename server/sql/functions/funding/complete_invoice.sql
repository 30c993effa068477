-- Completes an invoice and credits the deposit and the fee. The caller holds the lock of the account row.
-- Called by end_invoice and record_payment.
create or replace function complete_invoice(p_invoice invoice, p_now timestamptz, p_deposit bigint, p_fee bigint, p_pay_url text) returns void
language plpgsql as $$
declare
  v_invoice invoice;
begin
  update invoice i set status = 'completed', status_at = p_now, deposit = p_deposit, fee = p_fee, received = p_invoice.received
  where i.company_id = p_invoice.company_id and i.environment = p_invoice.environment and i.id = p_invoice.id
  returning * into v_invoice;
  perform settle_request(v_invoice.company_id, v_invoice.environment, v_invoice.id, 'completed', null);
  update invoice_payment p set decided = true
  where p.company_id = v_invoice.company_id and p.environment = v_invoice.environment and p.invoice_id = v_invoice.id and not p.decided;
  perform credit_account(v_invoice.company_id, p_now, v_invoice.environment, v_invoice.id, 'inv', p_deposit, p_fee);
  perform emit_event(v_invoice.company_id, v_invoice.environment, 'invoice.completed', v_invoice.id, invoice_json(v_invoice, p_pay_url), p_now);
end $$;
