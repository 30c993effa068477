-- Revokes an operator token and records it in the audit log, unless it was revoked before. Returns false, and changes nothing, if
-- it is the last active token. Locking access_version makes concurrent calls see each other's revocations, so that two tokens
-- cannot revoke each other.
-- Called by operator-tokens/queries.ts.
create or replace function revoke_operator_token(p_id uuid, p_now timestamptz, p_audit_record jsonb) returns boolean
language plpgsql as $$
begin
  -- Calls by this token that are under way hold its row, and may need access_version themselves.
  perform 1 from operator_token where id = p_id for no key update;
  perform 1 from access_version for update;
  if not exists (select from operator_token where id = p_id and revoked_at is null) then
    return true;
  end if;
  if not exists (select from operator_token where id <> p_id and revoked_at is null) then
    return false;
  end if;
  update operator_token set revoked_at = p_now where id = p_id;
  perform record_audit(null, p_audit_record);
  return true;
end $$;
