-- Adds somebody who has an account to the company, or the programme, of an invitation for their own address, and uses it up. Open links
-- of the person end, because whoever has one could now act there too. Returns whether they joined.
-- Called by people/links/queries.ts.
create or replace function join_by_invitation(p_digest bytea, p_person uuid, p_now timestamptz, p_log jsonb) returns boolean
language plpgsql as $$
declare
  v_email text;
  v_company uuid;
  v_role text;
begin
  select p.email into v_email from person p where p.id = p_person for no key update;
  update one_time_link l set used_at = p_now
  where l.kind = 'invitation' and l.digest = p_digest and l.email = v_email
    and l.used_at is null and l.revoked_at is null and l.expires_at > p_now
  returning l.company_id, l.role into v_company, v_role;
  if not found then
    return false;
  end if;
  insert into membership (company_id, person_id, role, created_at) values (v_company, p_person, v_role, p_now)
  on conflict do nothing;
  update one_time_link l set revoked_at = p_now where l.person_id = p_person and l.used_at is null and l.revoked_at is null;
  perform record_audit(v_company, p_log);
  return true;
end $$;
