-- What became of a change. p_status: 'completed', 'failed', 'manual_review', or 'processing' (still unknown; look up at
-- p_due). Out of manual_review only by 'completed' or 'failed'. A completed close returns p_returned, the issuer's figure,
-- or else the card's own balance. Answers whether the change moved.
-- Called by card-changes/queries.ts and resolve_card_change.
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
