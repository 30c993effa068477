-- Reports whether a person has a second factor: a confirmed authenticator app, or a passkey.
-- Called by people/sessions/queries.ts, people/team/queries.ts, hold_right, renew_recovery_codes, reset_password and use_sign_in_link.
create or replace function has_second_factor(p_person uuid) returns boolean
language sql stable as $$
  select exists (select from totp t where t.person_id = p_person and t.confirmed_at is not null)
      or exists (select from passkey k where k.person_id = p_person)
$$;
