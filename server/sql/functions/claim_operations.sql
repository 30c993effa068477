-- Claims the next queued operations: `processing` and the time of the attempt are committed before anything is sent,
-- and only the claimer may send. Cost does not depend on the backlog:
-- * the limit is a literal (with a parameter the generic plan read a million rows: 0.8 s against 1 ms);
-- * (p_after_due, p_after_id) is where the claimer's last claim ended: without it every claim walks over the dead index
--   entries of all claims since the last vacuum;
-- * a guarded update instead of `for update skip locked`: the loser of a race finds the row no longer queued. It also
--   works on a distributed database.
create or replace function claim_operations(p_now timestamptz, p_lease_until timestamptz, p_after_due timestamptz, p_after_id uuid)
returns setof operation
language sql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update operation o set status = 'processing', status_at = p_now, claimed_at = coalesce(o.claimed_at, p_now), due_at = p_lease_until
  from (
    select q.company_id, q.environment, q.id from operation q
    where q.status = 'queued' and (q.due_at, q.id) > (p_after_due, p_after_id) and q.due_at <= p_now
    order by q.due_at, q.id limit 100
  ) n
  where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id and o.status = 'queued'
  returning o.*
$$;

-- Operations that may have been sent and whose outcome is due to be looked up: their claimer died, or the last answer
-- was unknown. They are only ever looked up, never sent again.
create or replace function claim_look_ups(p_now timestamptz, p_lease_until timestamptz) returns setof operation
language sql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
  update operation o set due_at = p_lease_until, look_up_count = o.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from operation q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 100
  ) n
  where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
    and o.status = 'processing' and o.due_at <= p_now
  returning o.*
$$;
