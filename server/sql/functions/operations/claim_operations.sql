-- Claims the next queued operations: `processing` and the time of the attempt are committed before anything is sent,
-- and only the claimer may send. Cost does not depend on the backlog:
-- * the limit is a literal (with a parameter the generic plan read a million rows: 0.8 s against 1 ms);
-- * (p_after_due, p_after_id) is where the claimer's last claim ended: without it every claim walks over the dead index
--   entries of all claims since the last vacuum;
-- * operations are found one by one: joined in another way, as is cheaper while they are few, each claim reads them all;
-- * a guarded update instead of `for update skip locked`: the loser of a race finds the row no longer queued. It also
--   works on a distributed database.
-- Across companies: the worker serves them all.
-- Called by operations/queries.ts.
create or replace function claim_operations(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_after_due timestamptz, p_after_id uuid
)
returns setof operation
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_claimed operation[];
  v_time text := event_time(p_now);
begin
  with claimed as (
    update operation o set status = 'processing', status_at = p_now, claimed_at = coalesce(o.claimed_at, p_now), due_at = p_lease_until,
      event_count = o.event_count + 1
    from (
      select d.company_id, d.environment, d.id from (
        select q.company_id, q.environment, q.id from operation q
        where q.status = 'queued' and q.environment = p_environment and (q.due_at, q.id) > (p_after_due, p_after_id) and q.due_at <= p_now
        order by q.due_at, q.id limit 200
      ) d limit p_limit
    ) n
    where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
      -- A case, because from it no partial index follows: planned while little was queued, it would read all that is queued
      -- for each of them.
      and case o.status when 'queued' then true else false end
    returning o as operation
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
