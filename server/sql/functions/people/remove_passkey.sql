-- Removes a passkey of a person. The outcome is 'removed', 'not_found' or 'last_way': somebody without a password keeps one
-- passkey. Recovery codes stand in for a second factor, so they go with the last one.
-- Called by people/passkeys/queries.ts.
create or replace function remove_passkey(p_person uuid, p_passkey uuid, p_log jsonb) returns text
language plpgsql as $$
declare
  v_has_password boolean;
begin
  -- Concurrent removals of one person wait for each other, so that they cannot remove the last two together.
  select p.password is not null into v_has_password from person p where p.id = p_person for no key update;
  perform 1 from passkey k where k.id = p_passkey and k.person_id = p_person;
  if not found then
    return 'not_found';
  end if;
  if not v_has_password and (select count(*) from passkey k where k.person_id = p_person) = 1 then
    return 'last_way';
  end if;
  delete from passkey k where k.id = p_passkey;
  -- A sign-in that is under way with this passkey gets no session.
  update person p set credentials_version = p.credentials_version + 1 where p.id = p_person;
  delete from recovery_code r
  where r.person_id = p_person
    and not exists (select from passkey k where k.person_id = p_person)
    and not exists (select from totp t where t.person_id = p_person and t.confirmed_at is not null);
  perform record_audit(null, p_log);
  return 'removed';
end $$;
