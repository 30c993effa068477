-- Expires a pending invoice whose time is over. Returns false when it is not pending or not due yet.
-- Called by funding/queries.ts.
create or replace function expire_invoice(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_pay_url text)
returns boolean
language plpgsql as $$
declare
  v_invoice invoice;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  update invoice i set status = 'expired', status_at = p_now
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'pending' and i.expires_at <= p_now
  returning * into v_invoice;
  if not found then return false; end if;
  perform emit_event(p_company, p_environment, 'invoice.expired', p_id, invoice_json(v_invoice, p_pay_url), p_now);
  return true;
end $$;
