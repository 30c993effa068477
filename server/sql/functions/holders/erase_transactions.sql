-- Clears the descriptions of a holder's card payments among the company's next thousand after an id, and returns the last id, or
-- null at the end. The issuer writes descriptions, and they may name the holder. Amounts, merchants and times are kept for the books.
-- Called by continue_erasure.
create or replace function erase_transactions(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select t.id from transaction t
    where t.company_id = p_company and t.environment = p_environment and t.id > p_after order by t.id limit 1000);
begin
  update transaction t set description = ''
  from card c
  where t.company_id = p_company and t.environment = p_environment and t.id = any (v_ids) and t.description <> ''
    and c.company_id = p_company and c.environment = p_environment and c.id = t.card_id and c.holder_id = p_holder;
  return v_ids[cardinality(v_ids)];
end $$;
