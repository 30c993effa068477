-- Starts a session of a person unless their credentials have changed since p_version was read: then whatever was checked no longer
-- opens the account. Returns whether it started.
-- Called by people/sessions/queries.ts.
create or replace function start_session(
  p_id uuid, p_person uuid, p_version integer, p_digest bytea, p_address text, p_user_agent text, p_now timestamptz,
  p_expires_at timestamptz, p_verified_at timestamptz, p_log jsonb
) returns boolean language plpgsql as $$
begin
  -- A change that is under way is waited for, and one that comes later finds this session and ends it.
  perform 1 from person p where p.id = p_person and p.credentials_version = p_version for no key update;
  if not found then
    return false;
  end if;
  insert into person_session (id, person_id, digest, address, user_agent, created_at, last_seen_at, expires_at, verified_at)
  values (p_id, p_person, p_digest, p_address, p_user_agent, p_now, p_now, p_expires_at, p_verified_at);
  perform record_audit(null, p_log);
  return true;
end $$;
