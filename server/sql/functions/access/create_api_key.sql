-- Stores a new API key and records it in the audit log. Returns the key, or no row if whoever makes it has lost the right, there is no
-- such company, or p_limit of its keys work in the environment; the company's lock makes concurrent calls count each other. Processes of
-- the previous release do not pass p_limit.
-- Called by keys/queries.ts.
create or replace function create_api_key(
  p_right jsonb, p_company uuid, p_id uuid, p_environment environment, p_name text, p_digest bytea, p_prefix text, p_last4 text,
  p_scopes text[], p_allowed_cidrs text[], p_now timestamptz, p_expires_at timestamptz, p_audit_record jsonb, p_limit integer default null
) returns table (
  company_id uuid, id uuid, environment environment, name text, prefix text, last4 text, scopes text[], allowed_cidrs text[],
  created_at timestamptz, expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz
)
language plpgsql as $$
#variable_conflict use_column
begin
  if not hold_right(p_right, '{}') then return; end if;
  perform from company c where c.id = p_company for no key update;
  if not found or count_working_keys(p_company, p_environment, p_now, p_limit) >= p_limit then return; end if;
  return query
    insert into api_key as k (company_id, id, environment, name, digest, prefix, last4, scopes, allowed_cidrs, created_at, expires_at)
    values (p_company, p_id, p_environment, p_name, p_digest, p_prefix, p_last4, p_scopes, p_allowed_cidrs, p_now, p_expires_at)
    returning k.company_id, k.id, k.environment, k.name, k.prefix, k.last4, k.scopes, k.allowed_cidrs, k.created_at::timestamptz,
              k.expires_at::timestamptz, k.revoked_at::timestamptz, k.last_used_at::timestamptz;
  perform record_audit(p_company, p_audit_record);
end $$;
