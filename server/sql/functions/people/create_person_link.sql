-- Makes a link for a new password or a first sign-in, which replaces the open ones of the person. The outcome is 'created',
-- 'not_allowed' (whoever makes it has lost the right), 'not_found', or 'out_of_reach': a company may make links only for people who
-- belong nowhere else, because whoever has the link could act there too.
-- Called by people/links/queries.ts.
create or replace function create_person_link(
  p_right jsonb, p_id uuid, p_kind text, p_digest bytea, p_person uuid, p_company uuid, p_removes_second_factor boolean,
  p_created_by text, p_now timestamptz, p_expires_at timestamptz, p_log jsonb
) returns text language plpgsql as $$
begin
  -- Whoever joins a company or the programme locks the person too.
  if not hold_right(p_right, array[p_person]) then
    return 'not_allowed';
  end if;
  perform 1 from person p
  where p.id = p_person
    and (p_company is null or exists (select from membership m where m.company_id = p_company and m.person_id = p_person));
  if not found then
    return 'not_found';
  end if;
  if not is_within_reach(p_person, p_company) then
    return 'out_of_reach';
  end if;
  update one_time_link l set revoked_at = p_now where l.person_id = p_person and l.used_at is null and l.revoked_at is null;
  insert into one_time_link (id, kind, digest, email, person_id, company_id, removes_second_factor, created_by, created_by_person,
                             created_at, expires_at)
  select p_id, p_kind, p_digest, p.email, p.id, p_company, p_removes_second_factor, p_created_by, (p_right ->> 'personId')::uuid,
         p_now, p_expires_at
  from person p where p.id = p_person;
  perform record_audit(null, p_log);
  return 'created';
end $$;
