-- Locks an erasure that is due and returns it, or a row of nulls. Across companies: the job works for all of them.
-- Not on Citus: sql/citus/functions has another text.
-- Called by continue_erasure.
create or replace function lock_due_erasure(p_now timestamptz) returns erasure
language plpgsql
set jit = off
set enable_seqscan = off
as $$
declare
  v_erasure erasure;
begin
  select * into v_erasure from erasure e where e.due_at <= p_now order by e.due_at limit 1 for no key update skip locked;
  return v_erasure;
end $$;
