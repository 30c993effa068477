-- Reports whether a link that was made for a company may open the account of a person: they belong to that company and nowhere else.
-- Links of operators (p_company is null) open every account.
-- Called by people/links/queries.ts, create_person_link and take_person_link.
create or replace function is_within_reach(p_person uuid, p_company uuid) returns boolean
language sql stable as $$
  select p_company is null
      or coalesce((select bool_and(m.company_id is not distinct from p_company) from membership m where m.person_id = p_person), false)
$$;
