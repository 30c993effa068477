-- Claims look-ups as claim_invoice_look_ups does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by funding/queries.ts.
create or replace function claim_invoice_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer
) returns setof invoice
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := p_limit;
  v_company uuid;
  v_ids uuid[];
  v_taken integer;
begin
  foreach v_company in array due_companies('invoice look-ups', p_environment, p_now) loop
    exit when v_left = 0;
    v_ids := array(
      select q.id from invoice q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'creating' and q.due_at <= p_now
      order by q.due_at limit v_left);
    return query
      update invoice i set due_at = p_lease_until
      where i.company_id = v_company and i.environment = p_environment and i.id = any (v_ids) and i.status = 'creating'
        and i.due_at <= p_now
      returning i.*;
    get diagnostics v_taken = row_count;
    v_left := v_left - v_taken;
  end loop;
end $$;
