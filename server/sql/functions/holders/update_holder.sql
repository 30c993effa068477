-- Changes what a company says about a holder, and writes the audit record. A null leaves a value as it is; p_has_external_id says whether the
-- company's own id is set or removed. Another name in live has to be approved again, so that nobody gets a card by the approval of somebody
-- else. Returns the holder, or no row if there is none or if it is erased.
-- Called by holders/queries.ts.
create or replace function update_holder(
  p_company uuid, p_environment environment, p_id uuid, p_name text, p_email text, p_has_external_id boolean, p_external_id text,
  p_audit_record jsonb
) returns table (id uuid, name text, email text, kind text, status text, external_id text, erasure text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    update holder h set
      status = case when h.environment = 'live' and h.status = 'active' and h.name <> coalesce(p_name, h.name) then 'pending' else h.status end,
      name = coalesce(p_name, h.name),
      email = coalesce(p_email, h.email),
      external_id = case when p_has_external_id then p_external_id else h.external_id end
    where h.company_id = p_company and h.environment = p_environment and h.id = p_id and h.erasure is null
    returning h.id, h.name, h.email, h.kind, h.status, h.external_id, h.erasure;
  if found then perform record_audit(p_company, p_audit_record); end if;
end $$;
