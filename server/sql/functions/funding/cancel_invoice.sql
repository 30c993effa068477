-- Ends the time to pay of a pending invoice now. It is expired from then on: a payment in a block before this moment is still credited when
-- the issuer confirms it, and a later one goes to review. Returns the status of the invoice afterwards, or null when there is no such
-- invoice; it is 'expired' only when this call, or an earlier one, ended it.
-- Called by funding/queries.ts.
create or replace function cancel_invoice(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_by text, p_pay_url text
) returns text
language plpgsql as $$
declare
  v_invoice invoice;
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  update invoice i set status = 'expired', status_at = p_now, expires_at = least(i.expires_at, p_now::timestamptz(3)), cancelled_by = p_by
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'pending'
  returning * into v_invoice;
  if found then
    perform emit_event(p_company, p_environment, 'invoice.expired', p_id, invoice_json(v_invoice, p_pay_url), p_now);
    return v_invoice.status;
  end if;
  select i.status into v_status from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  return v_status;
end $$;
