-- Takes mails that are due, at most p_limit, and moves their next attempt ahead before the first one begins, so that a process that is
-- killed meanwhile leaves them to the others. A notice for somebody who got p_person_max within the last hour waits; links do not. A
-- mail is stale, and must not be sent, if its link has ended or if its reader does not belong there any more with that address.
-- Called by mail/queries.ts.
create or replace function claim_mails(p_now timestamptz, p_limit integer, p_person_max integer)
returns table (
  id uuid, kind text, email text, details jsonb, link bytea, link_key_id text, tries integer, created_at timestamptz, due_at timestamptz,
  is_stale boolean
) language plpgsql as $$
declare
  v_due uuid[];
begin
  -- One process at a time counts what a person got.
  if not pg_try_advisory_xact_lock(7215044121) then
    return;
  end if;
  v_due := array(select m.id from outgoing_mail m where m.status = 'waiting' and m.due_at <= p_now order by m.due_at limit p_limit);
  update outgoing_mail m set due_at = p_now + interval '5 minutes'
  from (
    select d.id, row_number() over (partition by d.email order by d.due_at, d.id)
      + (select count(*) from outgoing_mail s
         where s.email = d.email and s.kind not in ('invitation', 'reset') and s.created_at > p_now - interval '2 days'
           and s.tried_at > p_now - interval '1 hour') as place
    from outgoing_mail d where d.id = any (v_due) and d.kind not in ('invitation', 'reset')
  ) n
  where m.id = n.id and n.place > p_person_max;
  return query
  update outgoing_mail m set
    tries = m.tries + 1,
    tried_at = p_now,
    due_at = p_now + least(interval '1 minute' * 2 ^ least(m.tries, 10), interval '1 hour')
  where m.id = any (v_due) and m.status = 'waiting' and m.due_at <= p_now
  returning m.id, m.kind, m.email, m.details, m.link, m.link_key_id, m.tries, m.created_at::timestamptz, m.due_at::timestamptz,
    case when m.kind in ('invitation', 'reset')
         then not exists (select from one_time_link l where l.id = m.id and l.used_at is null and l.revoked_at is null and l.expires_at > p_now)
         else not exists (select from membership s join person p on p.id = s.person_id
                          where s.person_id = m.person_id and s.company_id is not distinct from m.company_id and p.email = m.email)
    end;
end $$;
