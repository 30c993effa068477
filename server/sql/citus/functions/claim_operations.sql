-- Claims queued operations as claim_operations does on PostgreSQL, of the companies of one node. Companies take turns in the order of
-- their ids, starting after p_after_company. Each gets an equal share of what is left. What the claimer remembers of former claims
-- is not needed, because due_here steps over the dead entries of each company once.
-- Across companies: it names them one after the other.
-- Called by operations/queries.ts.
create or replace function claim_operations(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid,
  p_companies uuid[], p_positions timestamptz[]
)
returns setof operation
language plpgsql as $$
#variable_conflict use_column
declare
  v_companies uuid[] := array(
    select c.id from unnest(due_companies('operations', p_environment, p_now)) as c (id) order by c.id <= p_after_company, c.id);
  v_left integer := least(p_limit, 200);
  v_time text := event_time(p_now);
  v_company uuid;
  v_ids uuid[];
  v_row operation;
  v_claimed uuid[];
  v_counts integer[];
  v_events uuid[];
begin
  for i in 1 .. cardinality(v_companies) loop
    exit when v_left = 0;
    v_company := v_companies[i];
    v_ids := array(
      select q.id from issuer_request q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'queued' and q.due_at <= p_now
      order by q.due_at limit ceil(v_left::numeric / (cardinality(v_companies) - i + 1))::integer);
    v_claimed := '{}';
    v_counts := '{}';
    for v_row in
      update operation o set
        status = 'processing', status_at = p_now, claimed_at = coalesce(o.claimed_at, p_now), event_count = o.event_count + 1
      where o.company_id = v_company and o.environment = p_environment and o.id = any (v_ids) and o.status = 'queued'
      returning o.*
    loop
      v_claimed := v_claimed || v_row.id;
      v_counts := v_counts || v_row.event_count;
      return next v_row;
    end loop;
    continue when cardinality(v_claimed) = 0;
    v_left := v_left - cardinality(v_claimed);
    v_events := array(select event_id(v_time, c.id, c.count) from unnest(v_claimed, v_counts) as c (id, count));
    update issuer_request q set status = 'processing', due_at = p_lease_until
    where q.company_id = v_company and q.environment = p_environment and q.id = any (v_claimed);
    insert into event (company_id, environment, id, type, object_id, sequence, created_at)
    select v_company, p_environment, c.event_id, 'operation.processing', c.id, c.count, p_now
    from unnest(v_events, v_claimed, v_counts) as c (event_id, id, count);
    if exists (
      select from account a where a.company_id = v_company and a.environment = p_environment and a.has_endpoints
    ) then
      perform fan_out(p_now, array_fill(v_company, array[cardinality(v_events)]), array_fill(p_environment, array[cardinality(v_events)]),
                      v_events, array_fill('operation.processing'::text, array[cardinality(v_events)]));
    end if;
  end loop;
end $$;
