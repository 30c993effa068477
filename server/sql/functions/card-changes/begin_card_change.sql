-- Records a change of a card's status before the issuer is asked. Locks the account row first: a close and a top-up of
-- the same card cannot pass each other, because accepting a top-up takes the same lock and reads pending_status.
-- Returns 'begun'; 'already' (the card has that status); 'same' or 'other' (a change is open, to the same status or to
-- another); 'refused' (not allowed from the card's status); 'topup_open' (a close while a top-up is unfinished); null when
-- there is no such card. Emits no event: the card itself changes only when the issuer confirms. Processes of the previous release
-- do not pass p_creator.
-- Called by card-changes/queries.ts.
create or replace function begin_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_card uuid, p_wanted text, p_from text[], p_due timestamptz,
  p_creator text default null
) returns text
language plpgsql
set jit = off
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
    select from card_operation k
    cross join lateral (
      select o.type, o.status from operation o where o.company_id = p_company and o.environment = p_environment and o.id = k.id offset 0
    ) o
    where k.company_id = p_company and k.environment = p_environment and k.card_id = p_card and o.type = 'topup'
      and o.status in ('queued', 'processing', 'manual_review')
  ) then return 'topup_open'; end if;
  insert into card_change (company_id, environment, id, card_id, wanted, status, created_at, status_at, created_by)
  values (p_company, p_environment, p_id, p_card, p_wanted, 'processing', p_now, p_now, p_creator);
  insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
  values (p_company, p_environment, p_id, 'card_status', 'processing', p_due, 0);
  update card c set pending_status = p_wanted where c.company_id = p_company and c.environment = p_environment and c.id = p_card;
  return 'begun';
end $$;
