-- Claims these operations as claim_listed does on PostgreSQL. It locks the companies in the order of their ids, so that concurrent
-- claims, which start at different companies, cannot deadlock.
-- Across companies: it names them one after the other.
-- Called by claim_operations and claim_operations_of.
create or replace function claim_listed(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_owners uuid[], p_ids uuid[]
)
returns setof operation
language plpgsql as $$
#variable_conflict use_column
declare
  v_time text := event_time(p_now);
  v_company uuid;
  v_ids uuid[];
  v_row operation;
  v_claimed uuid[];
  v_counts integer[];
  v_events uuid[];
begin
  for v_company in select distinct u.company_id from unnest(p_owners) as u (company_id) order by u.company_id loop
    v_ids := array(select u.id from unnest(p_owners, p_ids) as u (company_id, id) where u.company_id = v_company);
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
