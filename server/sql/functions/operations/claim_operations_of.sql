-- Claims queued operations that are due, of some types: at most p_limits[i] of p_types[i], and at most p_limit and 200 together. The
-- worker calls it while the issuer does not answer requests of another type; claim_operations is quicker.
-- Companies take turns in the order of their ids, starting after p_after_company and wrapping around. Each gets at most p_share. The
-- next claim starts after `reached`, which every row has; one row without an operation if nothing was claimed.
-- It reads what it does not take, so the cost has limits: 2,000 entries of a company's queue, behind which it waits as if it were
-- of the other type, and 5,000 entries of all companies.
-- The limits that the planner sees are literals, and operations are found by key; see claim_operations.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by operations/queries.ts.
create or replace function claim_operations_of(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid,
  p_types text[], p_limits integer[]
)
returns table (reached uuid, claimed operation)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_left integer := least(p_limit, 200);
  v_limits integer[] := p_limits;
  v_to_read integer := 5000;
  v_company uuid := p_after_company;
  v_end uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_next uuid;
  v_share integer;
  v_type integer;
  v_row record;
  v_owners uuid[] := '{}';
  v_ids uuid[] := '{}';
begin
  perform choose_plans('operation');
  while v_left > 0 and v_to_read > 0 loop
    select q.company_id into v_next from issuer_request q
    where q.status = 'queued' and q.environment = p_environment and q.company_id > v_company and q.company_id <= v_end
    order by q.environment, q.company_id, q.due_at limit 1;
    if v_next is null then
      exit when v_end = p_after_company;
      v_company := '00000000-0000-0000-0000-000000000000';
      v_end := p_after_company;
      continue;
    end if;
    v_company := v_next;
    v_share := least(p_share, v_left);
    for v_row in
      select q.id, q.kind from issuer_request q
      where q.status = 'queued' and q.environment = p_environment and q.company_id = v_company and q.due_at <= p_now
      order by q.environment, q.company_id, q.due_at limit 2000
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
