-- Clears the names and descriptions in the events of a holder's cards and card payments, among the company's next thousand events
-- after an id, and returns the last id, or null at the end. Events of operations hold no personal data.
-- Called by continue_erasure.
create or replace function erase_events(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select v.id from event v
    where v.company_id = p_company and v.environment = p_environment and v.id > p_after order by v.id limit 1000);
begin
  update event v set data = v.data || jsonb_build_object('name', 'Erased')
  from card c
  where v.company_id = p_company and v.environment = p_environment and v.id = any (v_ids) and starts_with(v.type, 'card.')
    and c.company_id = p_company and c.environment = p_environment and c.id = v.object_id and c.holder_id = p_holder;
  update event v set data = v.data || jsonb_build_object('description', '')
  from transaction t, card c
  where v.company_id = p_company and v.environment = p_environment and v.id = any (v_ids) and starts_with(v.type, 'transaction.')
    and t.company_id = p_company and t.environment = p_environment and t.id = v.object_id
    and c.company_id = p_company and c.environment = p_environment and c.id = t.card_id and c.holder_id = p_holder;
  return v_ids[cardinality(v_ids)];
end $$;
