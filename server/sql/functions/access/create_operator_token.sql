-- Stores a new operator token and records it in the audit log. Returns false if p_limit tokens are active already. The trigger
-- on the table changes access_version anyway; locking it first makes concurrent calls count each other.
-- Called by operator-tokens/queries.ts.
create or replace function create_operator_token(
  p_id uuid, p_name text, p_digest bytea, p_prefix text, p_last4 text, p_now timestamptz, p_limit integer, p_audit_record jsonb
) returns boolean
language plpgsql as $$
begin
  perform 1 from access_version for update;
  if (select count(*) from operator_token where revoked_at is null) >= p_limit then
    return false;
  end if;
  insert into operator_token (id, name, digest, prefix, last4, created_at)
  values (p_id, p_name, p_digest, p_prefix, p_last4, p_now);
  perform record_audit(null, p_audit_record);
  return true;
end $$;
