-- Returns the operations that the items' idempotency keys belong to, for the items whose key exists. verdict: 'replay', or
-- 'conflict' when the request of the item differs from the first one. The result holds for ever, with or without a lock: the
-- key of an operation and the columns returned here never change.
-- Called by ledger/queries.ts and accept_operations.
create or replace function find_originals(p_companies uuid[], p_environments environment[], p_keys text[], p_digests text[])
returns table (item integer, verdict text, id uuid, type text, amount bigint, fee bigint, created_at timestamptz)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_company uuid := batch_company(p_companies);
  v_items bigint[];
  v_ids uuid[];
begin
  -- A statement of its own: on Citus, a function that reads tables cannot be called in a statement that does so too.
  select array_agg(k.item), array_agg(k.id) into v_items, v_ids from find_operations_by_key(p_companies, p_environments, p_keys) k;
  if v_ids is null then return; end if;
  return query
    select k.item::integer, case when o.request_digest = decode(p_digests[k.item], 'hex') then 'replay' else 'conflict' end,
           o.id, o.type, o.amount, o.fee, o.created_at::timestamptz
    from unnest(v_items, v_ids) as k (item, id)
    join operation o on o.company_id = coalesce(v_company, p_companies[k.item])
      and o.environment = p_environments[k.item] and o.id = k.id;
end $$;
