-- Claims delivery queues as claim_delivery_queues does on PostgreSQL, of the companies of one node for each environment. It chooses them
-- at random without a lock, and then locks them in key order, so that there is no deadlock.
-- Across companies: it names them one after the other.
-- Called by webhooks/queries.ts.
create or replace function claim_delivery_queues(p_now timestamptz, p_lease_until timestamptz, p_worker uuid, p_failing boolean)
returns table (company_id uuid, environment environment, endpoint_id uuid, failures integer)
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := 10;
  v_company uuid;
  v_environment environment;
  v_endpoint uuid;
  v_found uuid[];
  v_companies uuid[] := '{}';
  v_environments environment[] := '{}';
  v_endpoints uuid[] := '{}';
begin
  for v_environment in select e.environment from unnest(enum_range(null::environment)) as e (environment) order by random() loop
    for v_company in
      select c.id from unnest(due_companies(case when p_failing then 'failing-webhooks' else 'webhooks' end, v_environment, p_now)) as c (id)
      order by random()
    loop
      exit when v_left = 0;
      v_found := array(
        select q.endpoint_id from delivery_queue q
        where q.company_id = v_company and q.environment = v_environment and q.due_at is not null and (q.failures > 0) = p_failing
          and greatest(q.due_at, q.not_before) <= p_now
        order by greatest(q.due_at, q.not_before) limit v_left);
      v_left := v_left - cardinality(v_found);
      v_companies := v_companies || array_fill(v_company, array[cardinality(v_found)]);
      v_environments := v_environments || array_fill(v_environment, array[cardinality(v_found)]);
      v_endpoints := v_endpoints || v_found;
    end loop;
  end loop;
  for v_company, v_environment, v_endpoint in
    select c.company_id, c.environment, c.endpoint_id
    from unnest(v_companies, v_environments, v_endpoints) as c (company_id, environment, endpoint_id) order by 1, 2, 3
  loop
    return query
      update delivery_queue q set worker_id = p_worker, not_before = p_lease_until
      where q.company_id = v_company and q.environment = v_environment and q.endpoint_id = v_endpoint
        and q.due_at is not null and (q.failures > 0) = p_failing and greatest(q.due_at, q.not_before) <= p_now
      returning q.company_id, q.environment, q.endpoint_id, q.failures;
  end loop;
end $$;
