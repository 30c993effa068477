-- Changes the role of a person in a company or in the programme, or removes them when the role is null. The outcome is 'changed',
-- 'not_found' or 'last_owner': a company keeps at least one owner. Open links that the person made end when the right to make them does.
-- Called by people/team/queries.ts.
create or replace function change_membership(p_company uuid, p_person uuid, p_role text, p_log jsonb) returns text
language plpgsql as $$
declare
  v_role text;
begin
  -- A link for this person cannot be made at the same moment, nor can they make one.
  perform 1 from person p where p.id = p_person for no key update;
  -- Concurrent changes of one company wait for each other, so that two owners cannot both remove the other.
  perform 1 from company c where c.id = p_company for no key update;
  select m.role into v_role from membership m
  where m.company_id is not distinct from p_company and m.person_id = p_person;
  if not found then
    return 'not_found';
  end if;
  if v_role = 'owner' and p_role is distinct from 'owner'
    and (select count(*) from membership m where m.company_id = p_company and m.role = 'owner') = 1 then
    return 'last_owner';
  end if;
  if p_role is null then
    delete from membership m where m.company_id is not distinct from p_company and m.person_id = p_person;
  else
    update membership m set role = p_role where m.company_id is not distinct from p_company and m.person_id = p_person;
  end if;
  update one_time_link l set revoked_at = (p_log ->> 'createdAt')::timestamptz
  where l.created_by_person = p_person and l.used_at is null and l.revoked_at is null
    and not exists (
      select from membership m
      where m.person_id = p_person
        and ((m.company_id is null and m.role = 'operator') or (m.company_id = l.company_id and m.role = 'owner')));
  perform record_audit(p_company, p_log);
  return 'changed';
end $$;
