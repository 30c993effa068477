-- Claims queued operations of some types as claim_operations_of does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by operations/queries.ts.
create or replace function claim_operations_of(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid,
  p_types text[], p_limits integer[]
)
returns table (reached uuid, claimed operation)
language plpgsql as $$
declare
  v_companies uuid[] := array(
    select c.id from unnest(due_companies('operations', p_environment, p_now)) as c (id) order by c.id <= p_after_company, c.id);
  v_left integer := least(p_limit, 200);
  v_limits integer[] := p_limits;
  v_to_read integer := 5000;
  v_company uuid := p_after_company;
  v_share integer;
  v_type integer;
  v_row record;
  v_owners uuid[] := '{}';
  v_ids uuid[] := '{}';
begin
  for i in 1 .. cardinality(v_companies) loop
    exit when v_left = 0 or v_to_read = 0;
    v_company := v_companies[i];
    v_share := least(p_share, v_left);
    for v_row in
      select q.id, q.kind from issuer_request q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'queued' and q.due_at <= p_now
      order by q.due_at limit 2000
    loop
      exit when v_share = 0 or v_to_read = 0;
      v_to_read := v_to_read - 1;
      v_type := array_position(p_types, v_row.kind);
      continue when v_type is null or v_limits[v_type] = 0;
      v_limits[v_type] := v_limits[v_type] - 1;
      v_share := v_share - 1;
      v_left := v_left - 1;
      v_owners := v_owners || v_company;
      v_ids := v_ids || v_row.id;
    end loop;
  end loop;
  return query select v_company, c from claim_listed(p_environment, p_now, p_lease_until, v_owners, v_ids) c;
  if not found then return query select v_company, null::operation; end if;
end $$;
