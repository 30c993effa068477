-- Changes the password of a person if it is still the one that was checked. Returns the new version of the credentials, or null if
-- nothing was changed.
-- Called by people/queries.ts.
create or replace function change_password(p_person uuid, p_from text, p_to text, p_now timestamptz, p_log jsonb) returns integer
language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person and p.password is not distinct from p_from for no key update;
  if not found then
    return null;
  end if;
  perform record_audit(null, p_log);
  return replace_password(p_person, p_to, p_now);
end $$;
