-- Changes of a card's status. Each function locks the account row first: a close and a top-up of the same card cannot
-- pass each other, because accepting a top-up holds the same lock and looks at pending_status.

-- Records the attempt before the issuer is asked. verdict: 'begun'; 'already' (the card has that status); 'same' and
-- 'other' (a change is open, to the same status or another); 'refused' (not from its status); 'topup_open' (a close
-- while money is on its way to the card); null when there is no such card.
create or replace function begin_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_card uuid, p_wanted text, p_from text[], p_due timestamptz
) returns text
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_card card;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return null; end if;
  if v_card.pending_status is not null then return case when v_card.pending_status = p_wanted then 'same' else 'other' end; end if;
  if v_card.status = p_wanted then return 'already'; end if;
  if v_card.status <> all (p_from) then return 'refused'; end if;
  if p_wanted = 'closed' and exists (
    select from operation o
    where o.company_id = p_company and o.environment = p_environment and o.card_id = p_card and o.type = 'topup'
      and o.status in ('queued', 'processing', 'manual_review')
  ) then return 'topup_open'; end if;
  insert into card_change (company_id, environment, id, card_id, wanted, status, created_at, status_at, due_at)
  values (p_company, p_environment, p_id, p_card, p_wanted, 'processing', p_now, p_now, p_due);
  update card c set pending_status = p_wanted where c.company_id = p_company and c.environment = p_environment and c.id = p_card
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  return 'begun';
end $$;

-- What became of a change. p_status: 'completed', 'failed', 'manual_review', or 'processing' (still unknown; look up at
-- p_due). Out of manual_review only by 'completed' or 'failed'. A completed close returns p_returned, the issuer's figure,
-- or else the card's own balance. Answers whether the change moved.
create or replace function settle_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_returned bigint,
  p_failure_code text, p_failure_message text, p_due timestamptz, p_exchange jsonb
) returns boolean
language plpgsql as $$
declare
  v_change card_change;
  v_card card;
  v_returned bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_change from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if not found or v_change.status in ('completed', 'failed') then return false; end if;
  if v_change.status = 'manual_review' and p_status not in ('completed', 'failed') then return false; end if;
  select * into strict v_card from card c
  where c.company_id = p_company and c.environment = p_environment and c.id = v_change.card_id for no key update;
  if p_status = 'completed' and v_change.wanted = 'closed' then v_returned := coalesce(p_returned, v_card.balance); end if;

  update card_change c set
    status = p_status, status_at = case when c.status = p_status then c.status_at else p_now end, due_at = coalesce(p_due, c.due_at),
    returned = v_returned, failure_code = p_failure_code, failure_message = p_failure_message,
    exchanges = case when p_exchange is null then c.exchanges else c.exchanges || p_exchange end
  where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if p_status not in ('completed', 'failed') then return true; end if;

  if v_returned > 0 then perform return_from_card(p_company, p_now, p_environment, v_card.id, v_returned); end if;
  update card c set
    pending_status = null,
    status = case when p_status = 'completed' then v_change.wanted else c.status end,
    balance = case when v_returned is null then c.balance else 0 end
  where c.company_id = p_company and c.environment = p_environment and c.id = v_card.id
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  return true;
end $$;

-- An operator's decision on a change in manual review, with its line in the audit log. Answers 'resolved', the status
-- that it has when that is not manual_review, or null when there is no such change.
create or replace function resolve_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_returned bigint,
  p_failure_code text, p_failure_message text, p_line jsonb
) returns text
language plpgsql as $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select c.status into v_status from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if v_status is distinct from 'manual_review' then return v_status; end if;
  perform settle_card_change(p_company, p_now, p_environment, p_id, p_status, p_returned, p_failure_code, p_failure_message, null, null);
  perform record_audit(p_company, p_line);
  return 'resolved';
end $$;

-- Changes that may have been sent and whose outcome is due to be looked up. They are only ever looked up, never sent
-- again. Across companies: the worker serves them all.
create or replace function claim_card_changes(p_now timestamptz, p_lease_until timestamptz) returns setof card_change
language sql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update card_change c set due_at = p_lease_until, look_up_count = c.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from card_change q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 100
  ) n
  where c.company_id = n.company_id and c.environment = n.environment and c.id = n.id
    and c.status = 'processing' and c.due_at <= p_now
  returning c.*
$$;
