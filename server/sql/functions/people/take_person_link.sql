-- Locks the person of a link for a new password or a first sign-in, and uses the link up. Returns the link, or null if it cannot be
-- used any more.
-- Called by reset_password and use_sign_in_link.
create or replace function take_person_link(p_digest bytea, p_kind text, p_now timestamptz) returns one_time_link
language plpgsql as $$
declare
  v_link one_time_link;
begin
  -- The person is locked before the link, as everywhere.
  perform 1 from person p
  where p.id = (select l.person_id from one_time_link l where l.digest = p_digest and l.kind = p_kind)
  for no key update;
  update one_time_link l set used_at = p_now
  where l.digest = p_digest and l.kind = p_kind and l.used_at is null and l.revoked_at is null and l.expires_at > p_now
    and is_within_reach(l.person_id, l.company_id)
  returning l.* into v_link;
  return v_link;
end $$;
