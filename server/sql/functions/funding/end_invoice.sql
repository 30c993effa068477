-- Carries out an operator's decision on an invoice in manual review and writes the audit record.
-- p_received, p_deposit and p_fee are only used when the invoice is completed. p_seen is the received amount that the operator
-- knew. Returns 'resolved', 'changed' when more money has come since, the invoice's status when it is not in review, or
-- null when there is no such invoice.
-- Called by funding/queries.ts.
create or replace function resolve_invoice(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_seen bigint, p_received bigint,
  p_deposit bigint, p_fee bigint, p_failure_code text, p_failure_message text, p_pay_url text, p_audit_record jsonb
) returns text
language plpgsql as $$
declare
  v_invoice invoice;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_invoice from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  if not found or v_invoice.status <> 'manual_review' then return v_invoice.status; end if;
  if v_invoice.received is distinct from p_seen then return 'changed'; end if;
  if p_status = 'completed' then
    v_invoice.received := p_received;
    perform complete_invoice(v_invoice, p_now, p_deposit, p_fee, p_pay_url);
  else
    update invoice i set status = p_status, status_at = p_now, failure_code = p_failure_code, failure_message = p_failure_message
    where i.company_id = p_company and i.environment = p_environment and i.id = p_id
    returning * into v_invoice;
    perform settle_request(p_company, p_environment, p_id, p_status, null);
    update invoice_payment p set decided = true
    where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided;
    perform emit_event(p_company, p_environment, 'invoice.' || p_status, p_id, invoice_json(v_invoice, p_pay_url), p_now);
  end if;
  perform record_audit(p_company, p_audit_record);
  return 'resolved';
end $$;
