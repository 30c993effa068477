-- Gives a person a new password, and ends every session and every open link of theirs. Returns the new version of the credentials.
-- The caller has locked the person.
-- Called by change_password and reset_password.
create or replace function replace_password(p_person uuid, p_password text, p_now timestamptz) returns integer
language plpgsql as $$
declare
  v_version integer;
begin
  update person p set password = p_password, credentials_version = p.credentials_version + 1 where p.id = p_person
  returning p.credentials_version into v_version;
  update person_session s set ended_at = p_now where s.person_id = p_person and s.ended_at is null;
  update one_time_link l set revoked_at = p_now where l.person_id = p_person and l.used_at is null and l.revoked_at is null;
  return v_version;
end $$;
