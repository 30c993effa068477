-- Makes an authenticator app count instead of a former one, with its first code used up and a new set of recovery codes, and records that
-- the second factor was proved in the session. Returns false if another secret has replaced this one.
-- Called by people/second-factor/queries.ts.
create or replace function confirm_totp(
  p_person uuid, p_session uuid, p_secret bytea, p_step bigint, p_codes bytea[], p_now timestamptz, p_log jsonb
) returns boolean language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person for no key update;
  update totp t set secret = p_secret,
                    secret_key_id = case when t.next_secret is null then t.secret_key_id else t.next_secret_key_id end,
                    next_secret = null, next_secret_key_id = null, confirmed_at = p_now, last_step = p_step
  where t.person_id = p_person and ((t.confirmed_at is null and t.secret = p_secret) or t.next_secret = p_secret);
  if not found then
    return false;
  end if;
  perform replace_recovery_codes(p_person, p_codes);
  update person_session s set verified_at = p_now where s.id = p_session and s.person_id = p_person and s.ended_at is null;
  perform record_audit(null, p_log);
  return true;
end $$;
