-- Sets the status of a holder by an operator's decision, and writes the audit record. Returns the holder, or no row if there is none or
-- if it is erased.
-- Called by holders/queries.ts.
create or replace function update_holder_status(
  p_company uuid, p_environment environment, p_id uuid, p_status text, p_audit_record jsonb
) returns table (id uuid, name text, email text, kind text, status text, external_id text, erasure text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
    update holder h set status = p_status
    where h.company_id = p_company and h.environment = p_environment and h.id = p_id and h.erasure is null
    returning h.id, h.name, h.email, h.kind, h.status, h.external_id, h.erasure;
  if found then perform record_audit(p_company, p_audit_record); end if;
end $$;
