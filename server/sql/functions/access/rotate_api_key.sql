-- Makes the successor of a key, which lives as long as the key, lets the key end at p_ends_at at the latest, and writes the audit record.
-- Returns the successor, or no row if the key does not work any more or has a successor already, or if p_limit keys of the company work in the
-- environment and this one would go on working; the company's lock makes concurrent calls count each other. Processes of the previous
-- release do not pass p_limit. Across environments: a key's id is unique within its company.
-- Called by keys/queries.ts.
create or replace function rotate_api_key(
  p_company uuid, p_id uuid, p_ends_at timestamptz, p_successor uuid, p_digest bytea, p_prefix text, p_last4 text, p_now timestamptz,
  p_audit_record jsonb, p_limit integer default null
) returns table (
  company_id uuid, id uuid, environment environment, name text, prefix text, last4 text, scopes text[], allowed_cidrs text[],
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_key api_key;
begin
  perform from company c where c.id = p_company for no key update;
  select * into v_key from api_key k
  where k.company_id = p_company and k.id = p_id and k.revoked_at is null and k.successor_id is null
    and (k.expires_at is null or k.expires_at > p_now)
  for update;
  if not found then return; end if;
  if p_ends_at > p_now and count_working_keys(p_company, v_key.environment, p_now, p_limit) >= p_limit then return; end if;
  return query
    insert into api_key as k (company_id, id, environment, name, digest, prefix, last4, scopes, allowed_cidrs, created_at, expires_at)
    values (p_company, p_successor, v_key.environment, v_key.name, p_digest, p_prefix, p_last4, v_key.scopes, v_key.allowed_cidrs, p_now,
            p_now + (v_key.expires_at - v_key.created_at))
    returning k.company_id, k.id, k.environment, k.name, k.prefix, k.last4, k.scopes, k.allowed_cidrs, k.created_at::timestamptz,
              k.expires_at::timestamptz, k.revoked_at::timestamptz, k.last_used_at::timestamptz;
  update api_key k set expires_at = least(v_key.expires_at, p_ends_at), successor_id = p_successor
  where k.company_id = p_company and k.id = p_id;
  perform record_audit(p_company, p_audit_record);
end $$;
