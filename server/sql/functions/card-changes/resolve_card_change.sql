-- Ends a card change whose status is one of p_from, by an operator's decision or by the issuer's late report, and writes the
-- audit record.
-- Returns 'resolved', the change's status when it is another one, or null when there is no such change.
-- Called by card-changes/queries.ts.
create or replace function resolve_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_returned bigint,
  p_failure_code text, p_failure_message text, p_from text[], p_audit_record jsonb
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select c.status into v_status from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if v_status is null or v_status <> all (p_from) then return v_status; end if;
  perform settle_card_change(p_company, p_now, p_environment, p_id, p_status, p_returned, p_failure_code, p_failure_message, null, null);
  perform record_audit(p_company, p_audit_record);
  return 'resolved';
end $$;
