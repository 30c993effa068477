-- Clears the personal data of a holder's operations among the company's next thousand after an id, and returns the last id, or
-- null at the end: cards issued to the holder, top-ups of those cards, and services whose recipient is the holder's name or
-- address. There is no index by holder, because it would slow down every order of a card.
-- Called by continue_erasure.
create or replace function erase_operations(
  p_company uuid, p_environment environment, p_holder uuid, p_after uuid, p_recipients text[]
) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select o.id from operation o
    where o.company_id = p_company and o.environment = p_environment and o.id > p_after order by o.id limit 1000);
  v_own uuid[] := array(
    select o.id from operation o
    where o.company_id = p_company and o.environment = p_environment and o.id = any (v_ids) and (
      o.holder_id = p_holder
      or lower(o.recipient) = any (p_recipients) and o.status in ('completed', 'failed')
      or exists (
        select from card c
        where c.company_id = p_company and c.environment = p_environment and c.id = o.card_id and c.holder_id = p_holder)));
begin
  update operation o set
    name = case when o.name is null then null else 'Erased' end,
    recipient = case when o.recipient is null then null else 'Erased' end,
    failure_message = case when o.failure_message is null then null else 'Erased' end
  where o.company_id = p_company and o.environment = p_environment and o.id = any (v_own);
  perform remove_exchanges(p_company, p_environment, v_own);
  perform erase_audit_details(p_company, array(select wire_id('op', i.id) from unnest(v_own) as i (id)));
  return v_ids[cardinality(v_ids)];
end $$;
