-- Begins to erase a cardholder: clears the holder, so that nobody can use it any more, and queues the rest for a job.
-- verdict: 'begun'; 'already'; 'card_open', 'change_open' or 'operation_open' with the id of what is in the way; 'busy' when
-- more than p_open_limit operations are open, too many to search while the account is locked. Returns no row when
-- there is no such holder.
-- It locks the account row first, so that no operation for the holder can be accepted in between. The idempotency key stays,
-- so that a late retry of the request that added the holder cannot add the same person again.
-- Called by holders/queries.ts.
create or replace function erase_holder(
  p_company uuid, p_now timestamptz, p_environment environment, p_holder uuid, p_open_limit bigint, p_audit_record jsonb
) returns table (verdict text, blocking uuid)
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_holder holder;
  v_is_changing boolean;
  v_recipients text[];
  v_open bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_holder from holder h
  where h.company_id = p_company and h.environment = p_environment and h.id = p_holder for no key update;
  if not found then return; end if;
  if v_holder.erasure is not null then
    return query select 'already', null::uuid;
    return;
  end if;

  -- As the condition of the index card_in_use, which has the cards with an open change first.
  select c.id, c.pending_status is not null into blocking, v_is_changing from card c
  where c.company_id = p_company and c.environment = p_environment and c.holder_id = p_holder
    and coalesce(c.pending_status, nullif(c.status, 'closed')) is not null
  order by c.pending_status limit 1;
  if found then
    verdict := case when v_is_changing then 'change_open' else 'card_open' end;
    return next;
    return;
  end if;

  -- A name or an address that another holder has too does not tell whom a service was for. The collation and `offset` make it look
  -- each text up in an index instead of reading all holders of the company.
  select coalesce(array_agg(t.text), '{}') into v_recipients
  from (values (lower(v_holder.name)), (lower(v_holder.email))) as t (text)
  where not exists (
      select from holder h
      where h.company_id = p_company and h.environment = p_environment and h.id <> p_holder
        and lower(h.name) collate "C" = t.text offset 0)
    and not exists (
      select from holder h
      where h.company_id = p_company and h.environment = p_environment and h.id <> p_holder
        and lower(h.email) collate "C" = t.text offset 0);

  select max(o.n), (array_agg(o.id) filter (
    where o.holder_id = p_holder or lower(o.recipient) = any (v_recipients) or exists (
      select from card c
      where c.company_id = p_company and c.environment = p_environment and c.id = o.card_id and c.holder_id = p_holder)))[1]
  into v_open, blocking
  from (
    select o.id, o.holder_id, o.card_id, o.recipient, row_number() over () as n
    from issuer_request q
    cross join lateral (
      select o.id, o.holder_id, o.card_id, o.recipient from operation o
      where o.company_id = p_company and o.environment = p_environment and o.id = q.id offset 0
    ) o
    where q.company_id = p_company and q.environment = p_environment limit p_open_limit + 1
  ) o;
  if blocking is not null or v_open > p_open_limit then
    verdict := case when blocking is null then 'busy' else 'operation_open' end;
    return next;
    return;
  end if;

  update holder h set
    name = 'Erased', email = 'erased@erased.invalid', external_id = null, request_digest = null, status = 'inactive', erasure = 'running'
  where h.company_id = p_company and h.environment = p_environment and h.id = p_holder;
  insert into erasure (company_id, environment, holder_id, recipients, due_at)
  values (p_company, p_environment, p_holder, v_recipients, p_now);
  perform erase_audit_details(p_company, array[wire_id('hld', p_holder)]);
  perform record_audit(p_company, p_audit_record);
  return query select 'begun', null::uuid;
end $$;
