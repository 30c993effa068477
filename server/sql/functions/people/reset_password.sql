-- Uses a link for a new password: sets it, removes the second factor if the link was made for that, and ends every session and every
-- other link of the person. Returns no person if the link cannot be used any more.
-- Called by people/links/queries.ts.
create or replace function reset_password(
  p_digest bytea, p_password text, p_now timestamptz, p_log jsonb,
  out person_id uuid, out name text, out email text, out credentials_version integer, out has_second_factor boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  v_link one_time_link := take_person_link(p_digest, 'reset', p_now);
begin
  if v_link.id is null then
    return;
  end if;
  if v_link.removes_second_factor then
    delete from totp t where t.person_id = v_link.person_id;
    delete from recovery_code r where r.person_id = v_link.person_id;
    delete from passkey k where k.person_id = v_link.person_id;
  end if;
  reset_password.credentials_version := replace_password(v_link.person_id, p_password, p_now);
  reset_password.has_second_factor := has_second_factor(v_link.person_id);
  select p.id, p.name, p.email into reset_password.person_id, reset_password.name, reset_password.email
  from person p where p.id = v_link.person_id;
  perform record_audit(null, p_log);
end $$;
