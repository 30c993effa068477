-- Claims delivery queues as claim_delivery_queues does on PostgreSQL, of the companies of one node.
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
  v_endpoints uuid[];
  v_taken integer;
begin
  foreach v_environment in array enum_range(null::environment) loop
    for v_company in
      select c.id from unnest(due_companies(case when p_failing then 'failing-webhooks' else 'webhooks' end, v_environment, p_now)) as c (id)
      order by random()
    loop
      exit when v_left = 0;
      v_endpoints := array(
        select q.endpoint_id from delivery_queue q
        where q.company_id = v_company and q.environment = v_environment and q.due_at is not null and (q.failures > 0) = p_failing
          and greatest(q.due_at, q.not_before) <= p_now
        order by q.endpoint_id limit v_left);
      return query
        update delivery_queue q set worker_id = p_worker, not_before = p_lease_until
        where q.company_id = v_company and q.environment = v_environment and q.endpoint_id = any (v_endpoints)
          and q.due_at is not null and (q.failures > 0) = p_failing and greatest(q.due_at, q.not_before) <= p_now
        returning q.company_id, q.environment, q.endpoint_id, q.failures;
      get diagnostics v_taken = row_count;
      v_left := v_left - v_taken;
    end loop;
  end loop;
end $$;
