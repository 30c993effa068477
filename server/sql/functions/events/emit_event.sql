-- Writes an event of an object that is not an operation, with the object as it is now, and its deliveries. It must be
-- called in the transaction that changes the object.
--
-- It locks all delivery queues of the company at once, in order: a transaction may emit several events for endpoints that
-- ask for different ones, and would otherwise lock their queues in the order of the events.
-- Called by cancel_invoice, complete_invoice, disable_webhook_endpoint, end_invoice, expire_invoice, put_invoice_in_review, record_transaction,
-- report_card_status, settle_card_change, settle_invoice and tell_expiring_key.
create or replace function emit_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz)
returns void
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_event uuid := write_event(p_company, p_environment, p_type, p_object, p_data, p_now);
begin
  if not exists (select from account a where a.company_id = p_company and a.environment = p_environment and a.has_endpoints) then
    return;
  end if;
  perform lock_company_delivery_queues(p_company, p_environment);
  perform fan_out(p_now, array[p_company], array[p_environment], array[v_event], array[p_type]);
end $$;
