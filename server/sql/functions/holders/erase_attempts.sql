-- Clears what webhook endpoints answered to events about a holder's cards, payments and operations, among the company's next
-- thousand attempts after an event's id, and returns the last event's id, or null at the end. Answers may repeat what was sent.
-- Called by continue_erasure.
create or replace function erase_attempts(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select a.event_id from webhook_attempt a
    where a.company_id = p_company and a.environment = p_environment and a.event_id > p_after order by a.event_id limit 1000);
begin
  update webhook_attempt a set response = null
  from event_log v
  where a.company_id = p_company and a.environment = p_environment and a.event_id = any (v_ids) and a.response is not null
    and v.company_id = p_company and v.environment = p_environment and v.id = a.event_id
    and (
      exists (
        select from card c
        where c.company_id = p_company and c.environment = p_environment and c.id = v.object_id and c.holder_id = p_holder)
      or exists (
        select from transaction t
        join card c on c.company_id = p_company and c.environment = p_environment and c.id = t.card_id and c.holder_id = p_holder
        where t.company_id = p_company and t.environment = p_environment and t.id = v.object_id)
      or exists (
        select from operation o
        left join card c on c.company_id = p_company and c.environment = p_environment and c.id = o.card_id
        where o.company_id = p_company and o.environment = p_environment and o.id = v.object_id
          and (o.holder_id = p_holder or c.holder_id = p_holder or o.recipient = 'Erased')));
  return v_ids[cardinality(v_ids)];
end $$;
