-- Claims these operations, each named by its company and its id, as far as they are still queued: `processing` and the time of the
-- attempt are committed before anything is sent, and only the claimer may send.
-- A guarded update instead of `for update skip locked`: the loser of a race finds the row no longer queued. It also works on a
-- distributed database. Rows are locked in the order of their keys, so that concurrent claims, which start at different companies,
-- cannot deadlock.
-- The callers forbid other plans than those that find operations by key.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by claim_operations and claim_operations_of.
create or replace function claim_listed(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_owners uuid[], p_ids uuid[]
)
returns setof operation
language plpgsql as $$
declare
  v_claimed operation[];
  v_time text := event_time(p_now);
begin
  if cardinality(p_ids) = 0 then return; end if;

  with claimed as (
    update operation o set status = 'processing', status_at = p_now, claimed_at = coalesce(o.claimed_at, p_now),
      event_count = o.event_count + 1
    from (select u.company_id, u.id from unnest(p_owners, p_ids) u (company_id, id) order by u.company_id, u.id) n
    where o.company_id = n.company_id and o.environment = p_environment and o.id = n.id and o.status = 'queued'
    returning o as operation
  ), moved as (
    update issuer_request q set status = 'processing', due_at = p_lease_until
    from claimed c
    where q.company_id = (c.operation).company_id and q.environment = (c.operation).environment and q.id = (c.operation).id
  ), told as (
    insert into event (company_id, environment, id, type, object_id, sequence, created_at)
    select (c.operation).company_id, (c.operation).environment, event_id(v_time, (c.operation).id, (c.operation).event_count),
           'operation.processing', (c.operation).id, (c.operation).event_count, p_now
    from claimed c
  )
  select array_agg(c.operation) into v_claimed from claimed c;
  if v_claimed is null then return; end if;

  if exists (
    select from unnest(v_claimed) c
    join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints
  ) then
    perform fan_out(p_now, array_agg(c.company_id), array_agg(c.environment), array_agg(event_id(v_time, c.id, c.event_count)),
                    array_agg('operation.processing'::text))
    from unnest(v_claimed) c;
  end if;
  return query select * from unnest(v_claimed);
end $$;
