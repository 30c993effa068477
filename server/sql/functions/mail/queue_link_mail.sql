-- Queues the mail with a new one-time link, whose id it takes over. Returns false if it does not, because too many mails with links went
-- to the same address or were caused by the same company within a day, or because the queue is full. Null without a mail.
-- Called by people/links/queries.ts.
create or replace function queue_link_mail(p_id uuid, p_mail jsonb, p_now timestamptz) returns boolean
language plpgsql strict as $$
declare
  v_link one_time_link;
  v_since timestamptz := p_now - interval '1 day';
  v_queue_max integer := (p_mail ->> 'queueMax')::integer;
  v_company text;
begin
  -- Concurrent links count each other. Whoever makes one has locked its person or its company before, and locks nothing after this.
  perform pg_advisory_xact_lock(7215044120);
  select l.* into strict v_link from one_time_link l where l.id = p_id;
  if (select count(*) from outgoing_mail m
      where m.email = v_link.email and m.kind in ('invitation', 'reset') and m.created_at > v_since)
       >= (p_mail ->> 'addressMax')::integer
     or (select count(*) from outgoing_mail m
         where m.company_id = v_link.company_id and m.kind in ('invitation', 'reset') and m.created_at > v_since)
       >= (p_mail ->> 'companyMax')::integer
     or (select count(*) from (select from outgoing_mail m where m.status = 'waiting' limit v_queue_max) w) >= v_queue_max
  then
    return false;
  end if;
  -- A statement of its own: on Citus an insert cannot read the table of companies.
  select c.name into v_company from company c where c.id = v_link.company_id;
  insert into outgoing_mail (id, kind, email, company_id, details, link, link_key_id, created_at, due_at)
  values (p_id, p_mail ->> 'kind', v_link.email, v_link.company_id,
          jsonb_build_object('company', v_company, 'expiresAt', wire_time(v_link.expires_at)),
          decode(p_mail ->> 'link', 'base64'), p_mail ->> 'keyId', p_now, p_now);
  return true;
end $$;
