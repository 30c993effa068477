-- Locks people, with whoever acts, until the end of the transaction, and reports whether the right that the request was admitted with
-- still holds: the session or the operator token has not ended, and the person still has one of the roles. With verifiedSince,
-- somebody who has a second factor must have proved it since then. p_right is null when the program itself acts.
--
-- Whatever changes the credentials, the places or the links of a person locks the person first, and only then companies, sessions
-- and links; several people are locked in the order of their ids. So a check that follows holds until the change is committed,
-- and nobody waits in a circle.
-- Called by keys/queries.ts, mail/queries.ts, operator-tokens/queries.ts, people/links/queries.ts, people/passkeys/queries.ts, people/queries.ts,
-- people/second-factor/queries.ts, people/team/queries.ts, create_api_key, create_invitation, create_person_link and
-- end_other_sessions.
create or replace function hold_right(p_right jsonb, p_people uuid[]) returns boolean
language plpgsql as $$
declare
  v_person uuid := (p_right ->> 'personId')::uuid;
begin
  perform 1 from person p where p.id = any (p_people || v_person) order by p.id for no key update;
  if p_right ->> 'tokenId' is not null then
    perform 1 from operator_token t where t.id = (p_right ->> 'tokenId')::uuid and t.revoked_at is null for share;
    return found;
  end if;
  if v_person is null then
    return true;
  end if;
  -- Somebody who signs out locks only the session.
  perform 1 from person_session s
  where s.id = (p_right ->> 'sessionId')::uuid and s.person_id = v_person and s.ended_at is null
  for share;
  if not found then
    return false;
  end if;
  if has_second_factor(v_person) and exists (
       select from person_session s
       where s.id = (p_right ->> 'sessionId')::uuid and coalesce(s.verified_at, '-infinity') <= (p_right ->> 'verifiedSince')::timestamptz)
  then
    return false;
  end if;
  return p_right -> 'roles' is null or exists (
    select from membership m
    where m.person_id = v_person and m.company_id is not distinct from (p_right ->> 'companyId')::uuid
      and p_right -> 'roles' ? m.role);
end $$;
