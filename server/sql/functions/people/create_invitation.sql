-- Invites somebody to a company, or to the programme when p_company is null, and replaces an open invitation for the same address. The
-- outcome is 'created', 'not_allowed' (whoever invites has lost the right), 'already_member', or 'limit' if p_open_max others are
-- open.
-- Called by people/links/queries.ts.
create or replace function create_invitation(
  p_right jsonb, p_id uuid, p_digest bytea, p_email text, p_company uuid, p_role text, p_open_max integer, p_created_by text,
  p_now timestamptz, p_expires_at timestamptz, p_log jsonb
) returns text language plpgsql as $$
begin
  -- Somebody who has an account may be joining this place.
  if not hold_right(p_right, array(select p.id from person p where p.email = p_email)) then
    return 'not_allowed';
  end if;
  -- Concurrent invitations to one place wait for each other, so that they count each other and replace each other.
  if p_company is null then
    perform 1 from access_version for update;
  else
    perform 1 from company c where c.id = p_company for no key update;
  end if;
  if exists (select from membership m join person p on p.id = m.person_id
             where m.company_id is not distinct from p_company and p.email = p_email) then
    return 'already_member';
  end if;
  if (select count(*) from one_time_link l
      where l.kind = 'invitation' and l.company_id is not distinct from p_company and l.email <> p_email
        and l.used_at is null and l.revoked_at is null and l.expires_at > p_now) >= p_open_max then
    return 'limit';
  end if;
  update one_time_link l set revoked_at = p_now
  where l.kind = 'invitation' and l.company_id is not distinct from p_company and l.email = p_email
    and l.used_at is null and l.revoked_at is null;
  insert into one_time_link (id, kind, digest, email, company_id, role, created_by, created_by_person, created_at, expires_at)
  values (p_id, 'invitation', p_digest, p_email, p_company, p_role, p_created_by, (p_right ->> 'personId')::uuid, p_now, p_expires_at);
  perform record_audit(p_company, p_log);
  return 'created';
end $$;
