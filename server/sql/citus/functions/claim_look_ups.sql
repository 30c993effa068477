-- Claims look-ups as claim_look_ups does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by issuer/requests/queries.ts.
create or replace function claim_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_kinds text[]
) returns table (company_id uuid, id uuid, kind text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := least(p_limit, 200);
  v_company uuid;
  v_ids uuid[];
  v_id uuid;
  v_kind text;
begin
  foreach v_company in array due_companies('look-ups', p_environment, p_now) loop
    exit when v_left = 0;
    v_ids := array(
      select q.id from issuer_request q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'processing' and q.due_at <= p_now
        and q.kind = any (p_kinds)
      order by q.due_at limit v_left);
    for v_id, v_kind in
      update issuer_request q set due_at = p_lease_until
      where q.company_id = v_company and q.environment = p_environment and q.id = any (v_ids) and q.status = 'processing'
        and q.due_at <= p_now
      returning q.id, q.kind
    loop
      v_left := v_left - 1;
      company_id := v_company;
      id := v_id;
      kind := v_kind;
      return next;
    end loop;
  end loop;
end $$;
