-- Removes the authenticator app of a person with the recovery codes. Returns whether there was one.
-- Called by people/second-factor/queries.ts.
create or replace function remove_totp(p_person uuid, p_log jsonb) returns boolean
language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person for no key update;
  delete from totp t where t.person_id = p_person and t.confirmed_at is not null;
  if not found then
    return false;
  end if;
  perform replace_recovery_codes(p_person, '{}');
  perform record_audit(null, p_log);
  return true;
end $$;
