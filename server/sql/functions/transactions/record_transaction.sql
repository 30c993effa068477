-- Records what the issuer reports about a card payment: the row, the card's balance and the event. Reports with the same
-- issuer id are about the same transaction, however often and in whatever order they arrive. A report moves it only along
-- transactions/states.ts; any other report is a duplicate or late and changes nothing.
--
-- p_authorise is set in the sandbox, which then declines a debit that the card cannot pay, and says why in the description.
-- verdict: 'created', 'updated' or 'unchanged'. Returns no row when there is no such card or the id belongs to another card.
-- It locks the account row first, because a credit to a closed card returns to the card account. Processes of the previous release do
-- not pass p_merchant_category.
-- Called by transactions/queries.ts.
create or replace function record_transaction(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_issuer_id text, p_card uuid, p_type text, p_status text,
  p_amount bigint, p_currency text, p_card_amount bigint, p_merchant text, p_country text, p_description text,
  p_occurred_at timestamptz, p_authorise boolean, p_merchant_category text default null
) returns table (verdict text, recorded transaction)
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_card card;
  v_old transaction;
  v_status text := p_status;
  v_moved bigint;
  v_left bigint;
  v_returned bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return; end if;
  -- The issuer's description may name the holder. All cards of an erased holder are closed.
  if v_card.status = 'closed' and exists (
    select from holder h
    where h.company_id = p_company and h.environment = p_environment and h.id = v_card.holder_id and h.erasure is not null
  ) then p_description := ''; end if;
  select * into v_old from transaction t where t.company_id = p_company and t.environment = p_environment and t.issuer_id = p_issuer_id;
  if v_old.id is not null then
    if v_old.card_id <> p_card then return; end if;
    if not ((v_old.status = 'pending' and v_status in ('settled', 'reversed', 'expired')) or (v_old.status = 'expired' and v_status = 'settled')) then
      return query select 'unchanged', v_old;
      return;
    end if;
  elsif p_authorise and v_status in ('pending', 'settled') and v_card.status <> 'active' and (p_card_amount <= 0 or v_card.status = 'closed')
     or p_authorise and v_status in ('pending', 'settled') and -p_card_amount > v_card.balance then
    v_status := 'declined';
    p_description := case when v_card.status = 'active' then 'Insufficient balance' else 'Card ' || v_card.status end;
  end if;

  -- A debit counts from its authorisation, a credit from its settlement. A balance does not go below zero: a debit that the card had not enough
  -- for leaves `unreported` below zero, and credits make up for that first, because the issuer may report them later although they paid for it.
  -- A closed card has no balance, so that the rest of a credit returns to the account.
  v_moved := case when v_status = 'settled' or (v_status = 'pending' and p_card_amount < 0) then p_card_amount else 0 end - coalesce(v_old.applied, 0);
  v_left := v_card.balance + coalesce(v_card.unreported, 0) + v_moved;
  if v_card.status = 'closed' then v_returned := greatest(0, least(v_moved, v_left)); end if;

  if v_old.id is null then
    verdict := 'created';
    insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                             merchant, country, description, occurred_at, created_at, updated_at, merchant_category)
    values (p_company, p_environment, p_id, p_card, p_issuer_id, p_type, v_status, p_amount, p_currency, p_card_amount, v_moved,
            p_merchant, p_country, p_description, p_occurred_at, p_now, p_now, p_merchant_category)
    returning * into recorded;
  else
    verdict := 'updated';
    -- The settled amount may differ from the authorised one. A reversal or an expiry keeps the amount.
    update transaction t set
      status = v_status, applied = t.applied + v_moved, updated_at = p_now,
      -- An authorisation may come without the category, and the settlement with it.
      merchant_category = coalesce(t.merchant_category, p_merchant_category),
      amount = case when v_status = 'settled' then p_amount else t.amount end,
      currency = case when v_status = 'settled' then p_currency else t.currency end,
      card_amount = case when v_status = 'settled' then p_card_amount else t.card_amount end
    where t.company_id = p_company and t.environment = p_environment and t.id = v_old.id
    returning t.* into recorded;
  end if;
  perform emit_event(p_company, p_environment, 'transaction.' || verdict, recorded.id, transaction_json(recorded), p_now);

  if v_card.status = 'closed' then
    if v_returned > 0 then perform return_from_card(p_company, p_now, p_environment, recorded.id, 'txn', v_returned); end if;
    update card c set unreported = nullif(v_left - v_returned, 0)
    where c.company_id = p_company and c.environment = p_environment and c.id = p_card
      and c.unreported is distinct from nullif(v_left - v_returned, 0);
  elsif v_moved <> 0 then
    update card c set balance = greatest(0, v_left), unreported = nullif(least(0, v_left), 0)
    where c.company_id = p_company and c.environment = p_environment and c.id = p_card;
    if greatest(0, v_left) <> v_card.balance then
      v_card.balance := greatest(0, v_left);
      perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
    end if;
  end if;
  return next;
end $$;
