-- Claims queued operations as claim_operations does on PostgreSQL, of the companies of one node. Companies take turns in the order of
-- their ids, starting after p_after_company. Each gets at most p_share; what is left is divided among those that have more.
-- What the claimer remembers of former claims is not needed, because due_here steps over the dead entries of each company once.
-- Across companies: it names them one after the other.
-- Called by operations/queries.ts.
create or replace function claim_operations(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_share integer, p_after_company uuid,
  p_companies uuid[], p_positions timestamptz[]
)
returns setof operation
language plpgsql as $$
declare
  -- The companies that may have more, and how much was taken of each.
  v_more uuid[] := array(
    select c.id from unnest(due_companies('operations', p_environment, p_now)) as c (id) order by c.id <= p_after_company, c.id);
  v_more_taken integer[] := array_fill(0, array[cardinality(v_more)]);
  v_left integer := least(p_limit, 200);
  v_share integer := p_share;
  v_taken uuid[];
  v_still integer[];
  v_ids uuid[] := '{}';
  v_owners uuid[] := '{}';
begin
  -- Each round uses up what is left, or at least one company has no more.
  while v_left > 0 and cardinality(v_more) > 0 loop
    v_still := '{}';
    for i in 1 .. cardinality(v_more) loop
      exit when v_left = 0;
      v_taken := array(
        select q.id from issuer_request q
        where q.company_id = v_more[i] and q.environment = p_environment and q.status = 'queued' and q.due_at <= p_now
        order by q.due_at, q.id limit least(v_share, v_left) offset v_more_taken[i]);
      v_ids := v_ids || v_taken;
      v_owners := v_owners || array_fill(v_more[i], array[cardinality(v_taken)]);
      v_left := v_left - cardinality(v_taken);
      v_more_taken[i] := v_more_taken[i] + cardinality(v_taken);
      if cardinality(v_taken) = v_share then v_still := v_still || i; end if;
    end loop;
    select coalesce(array_agg(v_more[i]), '{}'), coalesce(array_agg(v_more_taken[i]), '{}')
    into v_more, v_more_taken from unnest(v_still) i;
    v_share := ceil(v_left::numeric / greatest(cardinality(v_more), 1));
  end loop;
  return query select * from claim_listed(p_environment, p_now, p_lease_until, v_owners, v_ids);
end $$;
