-- Clears what the issuer said about the changes of a holder's cards, among the company's next thousand changes after an id, and
-- returns the last id, or null at the end.
-- Called by continue_erasure.
create or replace function erase_card_changes(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select h.id from card_change h
    where h.company_id = p_company and h.environment = p_environment and h.id > p_after order by h.id limit 1000);
  v_own uuid[] := array(
    select h.id from card_change h
    join card c on c.company_id = p_company and c.environment = p_environment and c.id = h.card_id and c.holder_id = p_holder
    where h.company_id = p_company and h.environment = p_environment and h.id = any (v_ids));
begin
  update card_change h set failure_message = 'Erased'
  where h.company_id = p_company and h.environment = p_environment and h.id = any (v_own) and h.failure_message is not null;
  perform remove_exchanges(p_company, p_environment, v_own);
  perform erase_audit_details(p_company, array(select wire_id('chg', i.id) from unnest(v_own) as i (id)));
  return v_ids[cardinality(v_ids)];
end $$;
