-- Records a card's status as the issuer reports it. Returns false when there is no such card. A report that says nothing new,
-- or a transition that is not in cards/states.ts because it came late, changes nothing. When a card is closed, its balance
-- returns to the card account: the amount that the issuer reports, or else the balance that we know, as closing_credit says.
-- Called by card-changes/queries.ts.
create or replace function report_card_status(
  p_company uuid, p_now timestamptz, p_environment environment, p_card uuid, p_status text, p_balance bigint
) returns boolean
language plpgsql as $$
declare
  v_card card;
  v_returned bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c
  where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return false; end if;
  if v_card.status in (p_status, 'closed') or (v_card.status = 'expired' and p_status <> 'closed')
    or (v_card.status = 'pending' and p_status not in ('active', 'closed')) then return true; end if;

  if p_status = 'closed' then v_returned := closing_credit(v_card.balance, p_balance); end if;
  if v_returned > 0 then perform return_from_card(p_company, p_now, p_environment, p_card, 'card', v_returned); end if;
  update card c set
    status = p_status,
    balance = case when v_returned is null then c.balance else 0 end,
    unreported = case when v_returned is null then c.unreported else nullif(c.balance + coalesce(c.unreported, 0) - v_returned, 0) end
  where c.company_id = p_company and c.environment = p_environment and c.id = p_card
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', p_card, card_json(v_card), p_now);
  return true;
end $$;
