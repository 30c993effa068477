-- Clears the names of a holder's next thousand cards after an id, and returns the last id, or null at the end. It locks the
-- account row first: whoever writes an event with the name of a card holds this lock, so later events have the cleared name.
-- Called by continue_erasure.
create or replace function erase_cards(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[];
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  v_ids := array(
    select c.id from card c
    where c.company_id = p_company and c.environment = p_environment and c.holder_id = p_holder and c.id > p_after
    order by c.id limit 1000);
  update card c set name = 'Erased' where c.company_id = p_company and c.environment = p_environment and c.id = any (v_ids);
  perform erase_audit_details(p_company, array(select wire_id('card', i.id) from unnest(v_ids) as i (id)));
  return v_ids[cardinality(v_ids)];
end $$;
