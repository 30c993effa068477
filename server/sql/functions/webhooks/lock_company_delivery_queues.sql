-- Locks all delivery queues of a company in one environment, ten at most, in key order.
-- Called by disable_webhook_endpoint, emit_event and resend_event.
create or replace function lock_company_delivery_queues(p_company uuid, p_environment environment)
returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  perform 1 from delivery_queue q where q.company_id = p_company and q.environment = p_environment
  order by q.company_id, q.environment, q.endpoint_id for no key update;
end $$;
