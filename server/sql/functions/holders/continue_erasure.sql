-- Clears the next records of one erasure that is due, at most a thousand, and returns whether there was one. Across companies:
-- the job works for all of them; each step names its own.
-- The first three steps clear what is sent to webhooks and what late reports of the issuer are made of. The others begin at
-- p_settled_at, when whatever was on its way has been written: attempts of deliveries and exchanges with the issuer.
-- The erasures take turns, because each call makes its erasure due later than the others.
-- Called by holders/queries.ts.
create or replace function continue_erasure(p_now timestamptz, p_settled_at timestamptz) returns boolean
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_erasure erasure;
  v_position uuid;
  v_next text;
begin
  v_erasure := lock_due_erasure(p_now);
  if v_erasure.holder_id is null then return false; end if;
  v_position := case v_erasure.step
    when 'cards' then erase_cards(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position)
    when 'transactions' then erase_transactions(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position)
    when 'events' then erase_events(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position)
    when 'card_changes' then erase_card_changes(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position)
    when 'operations' then
      erase_operations(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position, v_erasure.recipients)
    when 'attempts' then erase_attempts(v_erasure.company_id, v_erasure.environment, v_erasure.holder_id, v_erasure.position)
  end;
  if v_position is not null then
    update erasure e set position = v_position, due_at = p_now
    where e.company_id = v_erasure.company_id and e.environment = v_erasure.environment and e.holder_id = v_erasure.holder_id;
    return true;
  end if;

  v_next := case v_erasure.step
    when 'cards' then 'transactions' when 'transactions' then 'events' when 'events' then 'card_changes'
    when 'card_changes' then 'operations' when 'operations' then 'attempts'
  end;
  if v_next is not null then
    update erasure e set
      step = v_next, position = default, due_at = case when v_next = 'card_changes' then p_settled_at else p_now end
    where e.company_id = v_erasure.company_id and e.environment = v_erasure.environment and e.holder_id = v_erasure.holder_id;
    return true;
  end if;
  update holder h set erasure = 'completed'
  where h.company_id = v_erasure.company_id and h.environment = v_erasure.environment and h.id = v_erasure.holder_id;
  delete from erasure e
  where e.company_id = v_erasure.company_id and e.environment = v_erasure.environment and e.holder_id = v_erasure.holder_id;
  return true;
end $$;
