-- Ends an operation whose status is one of p_from, by an operator's decision or by the issuer's late report: settles it and
-- writes the audit record.
-- Returns 'resolved', the operation's status when it is another one, or null when there is no such operation.
-- Called by operations/queries.ts.
create or replace function resolve_operation(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_receipt text, p_card uuid, p_last4 text,
  p_failure_code text, p_failure_message text, p_from text[], p_audit_record jsonb
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select o.status into v_status from operation o
  where o.company_id = p_company and o.environment = p_environment and o.id = p_id;
  if v_status is null or v_status <> all (p_from) then return v_status; end if;
  perform settle_operations(p_company, p_now, array[1], array[1], array[p_company], array[p_environment], array[p_id], array[p_status],
    array[p_receipt], array[p_card], array[p_last4], array[p_failure_code], array[p_failure_message], array[null::timestamptz], null);
  perform record_audit(p_company, p_audit_record);
  return 'resolved';
end $$;
