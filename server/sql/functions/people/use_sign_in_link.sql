-- Uses a link that signs in somebody who has neither a password nor a second factor; it must not stand in for them. Returns no person if
-- the link cannot be used any more.
-- Called by people/links/queries.ts.
create or replace function use_sign_in_link(
  p_digest bytea, p_now timestamptz, p_log jsonb, out person_id uuid, out name text, out email text, out credentials_version integer
) language plpgsql as $$
#variable_conflict use_column
declare
  v_link one_time_link := take_person_link(p_digest, 'sign_in', p_now);
begin
  select p.id, p.name, p.email, p.credentials_version
  into use_sign_in_link.person_id, use_sign_in_link.name, use_sign_in_link.email, use_sign_in_link.credentials_version
  from person p where p.id = v_link.person_id and p.password is null and not has_second_factor(p.id);
  if found then
    perform record_audit(null, p_log);
  end if;
end $$;
