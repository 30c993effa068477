-- All lines of a company, of which it has ten at most.
-- Called by disable_webhook_endpoint, emit_event and resend_event.
create or replace function lock_lines_of(p_company uuid, p_environment environment)
returns void
language plpgsql
set enable_seqscan = off
as $$
begin
  perform 1 from webhook_line l where l.company_id = p_company and l.environment = p_environment
  order by l.company_id, l.environment, l.endpoint_id for no key update;
end $$;
