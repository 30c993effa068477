-- Queues one mail for each person of a company, or of the programme when p_company is null, who has one of the roles and wants this kind
-- of mail. It is about those subjects that nobody was told of yet, and p_items has what it says of each. Returns how many those are; none
-- while the queue is full or the people of the company got p_company_max within a day, so that the next call tries again. If there is room
-- for some of them only, those who have belonged to the company for longest are told. Processes of the previous release do not pass
-- p_company_max.
-- Called by mail/queries.ts.
create or replace function queue_notices(
  p_kind text, p_company uuid, p_roles text[], p_subjects text[], p_items jsonb[], p_now timestamptz, p_items_max integer,
  p_queue_max integer, p_company_max integer default null
) returns integer language plpgsql as $$
declare
  v_told text[];
  -- How many its people may still get.
  v_room integer := p_company_max - (
    select count(*) from outgoing_mail m
    where m.company_id = p_company and m.person_id is not null and m.created_at > p_now - interval '1 day');
  v_company text;
begin
  if not exists (select from unnest(p_subjects) s (subject)
                 where not exists (select from mail_notice n where n.kind = p_kind and n.subject = s.subject))
     or (select count(*) from (select from outgoing_mail m where m.status = 'waiting' limit p_queue_max) w) >= p_queue_max
     or (p_company is not null and v_room <= 0)
  then
    return 0;
  end if;
  with told as (
    insert into mail_notice (kind, subject, told_at)
    select p_kind, s.subject, p_now from unnest(p_subjects) s (subject)
    on conflict (kind, subject) do nothing returning subject
  )
  select array_agg(told.subject) into v_told from told;
  if v_told is null then
    return 0;
  end if;
  -- A statement of its own: on Citus an insert cannot read the table of companies.
  select c.name into v_company from company c where c.id = p_company;
  insert into outgoing_mail (id, kind, email, person_id, company_id, details, created_at, due_at)
  select gen_random_uuid(), p_kind, p.email, p.id, p_company,
         jsonb_build_object(
           'company', v_company,
           'count', cardinality(v_told),
           'items', (select jsonb_agg(i.item order by i.place)
                     from (select t.item, t.place from unnest(p_subjects, p_items) with ordinality t (subject, item, place)
                           where t.subject = any (v_told) order by t.place limit p_items_max) i)),
         p_now, p_now
  from membership m join person p on p.id = m.person_id
  where m.company_id is not distinct from p_company and m.role = any (p_roles) and not p_kind = any (p.mail_off)
  order by m.created_at limit case when p_company is not null then v_room end;
  return cardinality(v_told);
end $$;
