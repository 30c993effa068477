-- Gives a person other recovery codes. A sign-in that is under way with a former one gets no session. The caller has locked the person.
-- Called by confirm_totp, remove_totp and renew_recovery_codes.
create or replace function replace_recovery_codes(p_person uuid, p_codes bytea[]) returns void
language plpgsql as $$
begin
  update person p set credentials_version = p.credentials_version + 1 where p.id = p_person;
  delete from recovery_code r where r.person_id = p_person;
  insert into recovery_code (person_id, digest) select p_person, c.digest from unnest(p_codes) as c (digest);
end $$;
