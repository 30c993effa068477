-- Claims look-ups as claim_look_ups does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by operations/queries.ts.
create or replace function claim_look_ups(p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer)
returns setof operation
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := least(p_limit, 200);
  v_company uuid;
  v_ids uuid[];
  v_id uuid;
  v_claimed uuid[];
begin
  foreach v_company in array due_companies('look-ups', p_environment, p_now) loop
    exit when v_left = 0;
    v_ids := array(
      select q.id from open_operation q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'processing' and q.due_at <= p_now
      order by q.due_at limit v_left);
    v_claimed := '{}';
    for v_id in
      update open_operation q set due_at = p_lease_until
      where q.company_id = v_company and q.environment = p_environment and q.id = any (v_ids) and q.status = 'processing'
        and q.due_at <= p_now
      returning q.id
    loop
      v_claimed := v_claimed || v_id;
    end loop;
    v_left := v_left - cardinality(v_claimed);
    return query
      select o.* from operation o
      where o.company_id = v_company and o.environment = p_environment and o.id = any (v_claimed);
  end loop;
end $$;
