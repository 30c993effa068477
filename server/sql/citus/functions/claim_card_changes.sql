-- Claims look-ups as claim_card_changes does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by card-changes/queries.ts.
create or replace function claim_card_changes(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer
) returns setof card_change
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := p_limit;
  v_company uuid;
  v_ids uuid[];
  v_taken integer;
begin
  foreach v_company in array due_companies('card changes', p_environment, p_now) loop
    exit when v_left = 0;
    v_ids := array(
      select q.id from card_change q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'processing' and q.due_at <= p_now
      order by q.due_at limit v_left);
    return query
      update card_change c set due_at = p_lease_until
      where c.company_id = v_company and c.environment = p_environment and c.id = any (v_ids) and c.status = 'processing'
        and c.due_at <= p_now
      returning c.*;
    get diagnostics v_taken = row_count;
    v_left := v_left - v_taken;
  end loop;
end $$;
