-- Across companies: a worker serves them all. Ten of the forty lines that have been ready for longest: few at a time, so
-- that several workers get their share; at random, so that those who claim at once seldom want the same. Failing lines
-- are claimed apart.
--
-- Chosen without a lock, then claimed one by one by a guarded update: whoever comes second finds the line no longer
-- ready. In key order, like every lock on several lines: hence no deadlock. Not `skip locked`, which a distributed
-- database refuses across companies and which was no faster (either way a hundredth of the database's time in
-- scripts/bench/webhooks.ts), and not one update of all: its order is the planner's.
-- Called by webhooks/queries.ts.
create or replace function claim_lines(p_now timestamptz, p_lease_until timestamptz, p_holder uuid, p_failing boolean)
returns table (company_id uuid, environment environment, endpoint_id uuid, failures integer)
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ready webhook_line[];
  v_line webhook_line;
begin
  if p_failing then
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures > 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  else
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures = 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  end if;
  if v_ready is null then return; end if;
  for v_line in
    select * from (select * from unnest(v_ready) order by random() limit 10) c order by c.company_id, c.environment, c.endpoint_id
  loop
    return query
      update webhook_line l set holder = p_holder, not_before = p_lease_until
      where l.company_id = v_line.company_id and l.environment = v_line.environment and l.endpoint_id = v_line.endpoint_id
        and l.due_at is not null and (l.failures > 0) = p_failing and greatest(l.due_at, l.not_before) <= p_now
      returning l.company_id, l.environment, l.endpoint_id, l.failures;
  end loop;
end $$;
