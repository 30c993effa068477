-- Changes of a card's status. Each function locks the account row first: a close and a top-up of the same card cannot
-- pass each other, because accepting a top-up holds the same lock and looks at pending_status.
-- Records the attempt before the issuer is asked. verdict: 'begun'; 'already' (the card has that status); 'same' and
-- 'other' (a change is open, to the same status or another); 'refused' (not from its status); 'topup_open' (a close
-- while money is on its way to the card); null when there is no such card.
-- Called by card-changes/queries.ts.
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
