-- Returns the company that all items of a batch are of, or null if they may be of several. On one PostgreSQL they may.
-- Statements on a batch name the company of an item as `coalesce(v_company, i.company_id)`. On Citus, which must see the one company when
-- it plans, that is a value; on PostgreSQL it is the company of the item, and costs next to nothing (docs/scaling.md).
-- Not on Citus: sql/citus/functions has another text.
-- Called by accept_operations, fan_out, find_operations_by_key, find_originals, lock_delivery_queues, record_attempts,
-- take_deliveries and wake_delivery_queues.
create or replace function batch_company(p_companies uuid[]) returns uuid
language sql immutable as $$ select null::uuid $$;
