-- Lets the calling function plan its statements each time while a table is small, and keep the plans afterwards. A plan that was
-- made while the table had few rows reads all of them, which is cheapest then, and goes on doing so when there are millions:
-- PostgreSQL makes a kept plan again only when the table is analysed. The size is that of the file, so statistics do not matter.
-- The caller must have a `set plan_cache_mode` of its own, which ends the effect with the call. It calls this after it has taken its
-- row locks: this opens the table, and whoever holds it open while it waits for a row can be in a deadlock with a migration.
-- Not on Citus: sql/citus/functions has another text.
-- Called by claim_look_ups, claim_operations, claim_operations_of, complete_operations, record_attempts and settle_operations.
create or replace function choose_plans(p_table regclass) returns void
language plpgsql as $$
begin
  -- A hundred pages: from there on a search by key is always cheaper than reading the whole index.
  perform set_config('plan_cache_mode', case when pg_relation_size(p_table) < 819200 then 'force_custom_plan' else 'force_generic_plan' end, true);
end $$;
