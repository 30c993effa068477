-- Ends an invoice in manual review. The amounts of p_end are only used when the invoice is completed. Its 'seen' is the received amount
-- that the decision was based on. Returns false and changes nothing when more money has come since.
-- The caller holds the lock of the account row and has checked the status.
-- Called by resolve_review.
create or replace function end_invoice(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_end jsonb) returns boolean
language plpgsql as $$
declare
  v_invoice invoice;
  v_status text := p_end ->> 'status';
begin
  select * into v_invoice from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  if v_invoice.received is distinct from (p_end ->> 'seen')::bigint then return false; end if;
  if v_status = 'completed' then
    v_invoice.received := (p_end ->> 'received')::bigint;
    perform complete_invoice(v_invoice, p_now, (p_end ->> 'deposit')::bigint, (p_end ->> 'fee')::bigint, p_end ->> 'payUrl');
    return true;
  end if;
  update invoice i
  set status = v_status, status_at = p_now, failure_code = p_end ->> 'failureCode', failure_message = p_end ->> 'failureMessage'
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id
  returning * into v_invoice;
  perform settle_request(p_company, p_environment, p_id, v_status, null);
  update invoice_payment p set decided = true
  where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided;
  perform emit_event(p_company, p_environment, 'invoice.' || v_status, p_id, invoice_json(v_invoice, p_end ->> 'payUrl'), p_now);
  return true;
end $$;
