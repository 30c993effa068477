-- Returns the operations that the items' idempotency keys belong to, for the items whose key exists. verdict: 'replay', or
-- 'conflict' when the request of the item differs from the first one. The result holds for ever, with or without a lock: the
-- key of an operation and the columns returned here never change.
-- Called by ledger/queries.ts and accept_operations.
create or replace function find_originals(p_companies uuid[], p_environments environment[], p_keys text[], p_digests text[])
returns table (item integer, verdict text, id uuid, type text, amount bigint, fee bigint, created_at timestamptz)
language plpgsql
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select i.n::integer, case when o.request_digest = decode(i.digest, 'hex') then 'replay' else 'conflict' end,
           o.id, o.type, o.amount, o.fee, o.created_at::timestamptz
    from find_operations_by_key(p_companies, p_environments, p_keys) k
    join unnest(p_companies, p_environments, p_digests) with ordinality as i (company_id, environment, digest, n) on i.n = k.item
    join operation o on o.company_id = i.company_id and o.environment = i.environment and o.id = k.id;
end $$;
