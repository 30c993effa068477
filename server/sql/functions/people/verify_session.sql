-- Records that a person has proved their second factor in a session, unless their credentials have changed since p_version was read or
-- the session has ended. Returns whether it was recorded.
-- Called by people/sessions/queries.ts.
create or replace function verify_session(p_person uuid, p_session uuid, p_version integer, p_now timestamptz) returns boolean
language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person and p.credentials_version = p_version for no key update;
  if not found then
    return false;
  end if;
  update person_session s set verified_at = p_now where s.id = p_session and s.person_id = p_person and s.ended_at is null;
  return found;
end $$;
