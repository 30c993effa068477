-- Ends the time to pay of a pending invoice now. It is expired from then on: a payment in a block before this moment is still credited when
-- the issuer confirms it, and a later one goes to review. Returns the status of the invoice afterwards, or null when there is no such
-- invoice. It is 'expired' only when this call, or an earlier one, ended it, and 'pending' only when the company had too many invoices in live:
-- each keeps an address of the issuer for an hour and a day, all companies share the addresses, and a cancelled invoice makes room for the next.
-- Called by funding/queries.ts.
create or replace function cancel_invoice(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_by text, p_pay_url text
) returns text
language plpgsql as $$
declare
  -- An adapter for TRON has 5,000 addresses: no company takes more than a small part of them. Unpaid invoices that expire are 25 in this time.
  c_invoices_max constant integer := 100;
  c_address_taken constant interval := '25 hours';
  v_earlier timestamptz;
  -- On Citus a statement cannot compute with times in a coalesce.
  v_is_one_too_many boolean;
  v_invoice invoice;
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select i.created_at into v_earlier from invoice i
  where i.company_id = p_company and i.environment = p_environment and p_environment = 'live'
  order by i.id desc offset c_invoices_max - 1 limit 1;
  v_is_one_too_many := coalesce(v_earlier > p_now - c_address_taken, false);
  update invoice i set status = 'expired', status_at = p_now, expires_at = least(i.expires_at, p_now::timestamptz(3)), cancelled_by = p_by
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'pending'
    and not v_is_one_too_many
  returning * into v_invoice;
  if found then
    perform emit_event(p_company, p_environment, 'invoice.expired', p_id, invoice_json(v_invoice, p_pay_url), p_now);
    return v_invoice.status;
  end if;
  select i.status into v_status from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  return v_status;
end $$;
