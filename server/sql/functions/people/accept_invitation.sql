-- Creates the account of an invited person with its membership and uses the invitation up, or does nothing. The outcome is
-- 'accepted', 'account_exists' (somebody has the address already and must sign in to accept) or 'not_valid'.
-- Called by people/links/queries.ts.
create or replace function accept_invitation(
  p_digest bytea, p_person uuid, p_name text, p_password text, p_now timestamptz, p_log jsonb,
  out outcome text, out email text
) language plpgsql as $$
declare
  v_link one_time_link;
begin
  -- The lock makes a second use wait and then find the link used.
  select l.* into v_link from one_time_link l where l.digest = p_digest and l.kind = 'invitation' for update;
  if not found or v_link.used_at is not null or v_link.revoked_at is not null or v_link.expires_at <= p_now then
    outcome := 'not_valid';
    return;
  end if;
  email := v_link.email;
  insert into person (id, email, name, password, created_at) values (p_person, v_link.email, p_name, p_password, p_now)
  on conflict do nothing;
  if not found then
    outcome := 'account_exists';
    return;
  end if;
  insert into membership (company_id, person_id, role, created_at)
  values (v_link.company_id, p_person, v_link.role, p_now);
  update one_time_link l set used_at = p_now where l.id = v_link.id;
  perform record_audit(v_link.company_id, p_log || jsonb_build_object('actor', p_name || ' <' || v_link.email || '>'));
  outcome := 'accepted';
end $$;
