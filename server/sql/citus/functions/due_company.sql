-- Returns one company with work of a kind that is due, chosen at random, or null.
-- Called by lock_due_erasure and lock_recovery.
create or replace function due_company(p_kind text, p_now timestamptz) returns uuid
language plpgsql as $$
begin
  return (
    select c.id from unnest(enum_range(null::environment)) as e (environment)
    cross join lateral unnest(due_companies(p_kind, e.environment, p_now)) as c (id)
    order by random() limit 1);
end $$;
