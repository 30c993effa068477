-- Deletes the exchanges with the issuer about operations and card changes that ended before p_before, among the company's next
-- thousand exchanges after an object's id. Returns the last object that was looked at, or null at the end. p_before_id is the
-- first id of that time: what was created later cannot have ended before it. What is open stays, however old, because a
-- review is decided on it. So do exchanges about invoices, which hold no personal data.
-- Called by issuer/queries.ts.
create or replace function prune_exchanges(
  p_company uuid, p_environment environment, p_after uuid, p_before timestamptz, p_before_id uuid
) returns uuid
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_ids uuid[] := array(
    select x.object_id from exchange x
    where x.company_id = p_company and x.environment = p_environment and x.object_id > p_after and x.object_id < p_before_id
    order by x.object_id limit 1000);
  v_ended uuid[] := array(
    select o.id from operation o
    where o.company_id = p_company and o.environment = p_environment and o.id = any (v_ids)
      and o.status in ('completed', 'failed') and o.status_at < p_before
    union all
    select c.id from card_change c
    where c.company_id = p_company and c.environment = p_environment and c.id = any (v_ids)
      and c.status in ('completed', 'failed') and c.status_at < p_before);
begin
  perform remove_exchanges(p_company, p_environment, v_ended);
  return v_ids[cardinality(v_ids)];
end $$;
