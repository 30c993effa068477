-- Adds a passkey to a person and uses its challenge up. The outcome is 'added', 'limit' (the person has p_max already) or
-- 'refused': the challenge was used before, or somebody has registered this passkey.
-- Called by people/passkeys/queries.ts.
create or replace function add_passkey(
  p_id uuid, p_person uuid, p_name text, p_rp_id text, p_credential bytea, p_public_key bytea, p_counter bigint,
  p_transports text[], p_is_synced boolean, p_now timestamptz, p_nonce bytea, p_nonce_expires timestamptz, p_max integer,
  p_log jsonb
) returns text language plpgsql as $$
begin
  -- Concurrent additions of one person wait for each other, so that they cannot pass the limit together.
  perform 1 from person p where p.id = p_person for no key update;
  insert into used_challenge (nonce, expires_at) values (p_nonce, p_nonce_expires) on conflict do nothing;
  if not found then
    return 'refused';
  end if;
  if (select count(*) from passkey k where k.person_id = p_person) >= p_max then
    return 'limit';
  end if;
  insert into passkey (id, person_id, name, rp_id, credential_id, public_key, counter, transports, is_synced, created_at)
  values (p_id, p_person, p_name, p_rp_id, p_credential, p_public_key, p_counter, p_transports, p_is_synced, p_now)
  on conflict (credential_id) do nothing;
  if not found then
    return 'refused';
  end if;
  -- A sign-in that is under way without this second factor gets no session.
  update person p set credentials_version = p.credentials_version + 1 where p.id = p_person;
  perform record_audit(null, p_log);
  return 'added';
end $$;
