-- Puts an invoice into manual review, or updates the review when more money has come. The caller holds the lock of the
-- account row.
-- Called by record_payment.
create or replace function put_invoice_in_review(p_invoice invoice, p_now timestamptz, p_reasons text[], p_pay_url text) returns void
language plpgsql as $$
declare
  v_invoice invoice;
begin
  update invoice i set
    status = 'manual_review',
    status_at = case when i.status = 'manual_review' then i.status_at else p_now end,
    reopened = i.reopened or i.status = 'expired',
    received = p_invoice.received,
    reasons = p_reasons
  where i.company_id = p_invoice.company_id and i.environment = p_invoice.environment and i.id = p_invoice.id
  returning * into v_invoice;
  if p_invoice.status <> 'manual_review' then
    perform emit_event(v_invoice.company_id, v_invoice.environment, 'invoice.manual_review', v_invoice.id,
      invoice_json(v_invoice, p_pay_url), p_now);
  end if;
end $$;
