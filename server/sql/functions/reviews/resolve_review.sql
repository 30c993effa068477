-- Ends an object whose status is one of p_from, by an operator's decision or by the issuer's late report, and writes the audit record.
-- p_end has what the end of such an object consists of; amounts are texts, because JSON numbers are not exact.
-- Returns 'resolved', the object's status when it is another one, 'changed' when the object differs from what the decision was based
-- on, or null when there is no such object.
-- Called by reviews/queries.ts.
create or replace function resolve_review(
  p_company uuid, p_now timestamptz, p_environment environment, p_object text, p_id uuid, p_from text[], p_end jsonb, p_audit_record jsonb
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  if p_object = 'operation' then
    select o.status into v_status from operation o where o.company_id = p_company and o.environment = p_environment and o.id = p_id;
  elsif p_object = 'card_change' then
    select c.status into v_status from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  elsif p_object = 'invoice' then
    select i.status into v_status from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  elsif p_object = 'payment' then
    select r.status into v_status from payment_review r
    where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  end if;
  if v_status is null or v_status <> all (p_from) then return v_status; end if;
  if p_object = 'operation' then
    perform settle_operations(p_company, p_now, array[1], array[1], array[p_company], array[p_environment], array[p_id],
      array[p_end ->> 'status'], array[p_end ->> 'receipt'], array[(p_end ->> 'cardId')::uuid], array[p_end ->> 'last4'],
      array[p_end ->> 'failureCode'], array[p_end ->> 'failureMessage'], array[null::timestamptz], null);
  elsif p_object = 'card_change' then
    perform settle_card_change(p_company, p_now, p_environment, p_id, p_end ->> 'status', (p_end ->> 'returned')::bigint,
      p_end ->> 'failureCode', p_end ->> 'failureMessage', null, null);
  elsif p_object = 'invoice' then
    if not end_invoice(p_company, p_now, p_environment, p_id, p_end) then return 'changed'; end if;
  elsif p_object = 'payment' then
    perform end_payment_review(p_company, p_now, p_environment, p_id, p_end);
  end if;
  perform record_audit(p_company, p_audit_record);
  return 'resolved';
end $$;
