-- Settles a card change as 'completed', 'failed', 'manual_review', or 'processing' (still unknown; look up again at p_due).
-- Only 'completed' and 'failed' end a review. A completed close credits the card account with p_returned, the issuer's
-- figure, or else with the card's own balance, as closing_credit says. Returns whether the change moved.
-- The issuer may have blocked, closed or expired the card meanwhile, and reported it. That stands: a closed card's balance has
-- already come back, so the change says how much, nothing is credited again, and only the issuer ends its own block.
-- Emits card.updated only when the card's status or balance changed, so that one change of a card is one event.
-- Called by card-changes/queries.ts and resolve_review.
create or replace function settle_card_change(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_status text, p_returned bigint,
  p_failure_code text, p_failure_message text, p_due timestamptz, p_look_ups integer
) returns boolean
language plpgsql as $$
declare
  v_change card_change;
  v_card card;
  v_before card;
  v_returned bigint;
  v_is_back boolean := false;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_change from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if not found or v_change.status in ('completed', 'failed') then return false; end if;
  if v_change.status = 'manual_review' and p_status not in ('completed', 'failed') then return false; end if;
  select * into strict v_before from card c
  where c.company_id = p_company and c.environment = p_environment and c.id = v_change.card_id for no key update;
  if p_status = 'completed' and v_change.wanted = 'closed' then
    v_is_back := v_before.status = 'closed';
    v_returned := case when v_is_back then coalesce((
      select e.available_delta from entry e
      where e.company_id = p_company and e.environment = p_environment and e.reference = v_before.id and e.kind = 'adjustment'
    ), 0) else closing_credit(v_before.balance, p_returned) end;
  end if;

  update card_change c set
    status = p_status, status_at = case when c.status = p_status then c.status_at else p_now end,
    look_up_count = coalesce(p_look_ups, c.look_up_count),
    returned = v_returned, failure_code = p_failure_code, failure_message = p_failure_message
  where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  perform settle_request(p_company, p_environment, p_id, p_status, p_due);
  if p_status not in ('completed', 'failed') then return true; end if;

  if v_returned > 0 and not v_is_back then perform return_from_card(p_company, p_now, p_environment, v_before.id, 'card', v_returned); end if;
  update card c set
    pending_status = null,
    status = case
      when p_status = 'completed' and (c.status not in ('blocked', 'closed', 'expired') or v_change.wanted = 'closed') then v_change.wanted
      else c.status
    end,
    balance = case when v_returned is null or v_is_back then c.balance else 0 end,
    unreported = case
      when v_returned is null or v_is_back then c.unreported
      else nullif(c.balance + coalesce(c.unreported, 0) - v_returned, 0)
    end
  where c.company_id = p_company and c.environment = p_environment and c.id = v_before.id
  returning c.* into v_card;
  if (v_card.status, v_card.balance) is distinct from (v_before.status, v_before.balance) then
    perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  end if;
  return true;
end $$;
