-- Claims requests that may have been sent and whose look-up is due: their claimer died, or the last answer was unknown. They are only
-- ever looked up, never sent again. Takes at most p_limit of one issuer's requests, and at most 200, of the kinds that the claimer knows.
-- The claim does not count as a look-up: the functions that settle count those that were answered.
-- Returns what is needed to look each of them up; columns that a kind does not have are null.
-- The limit that the planner sees is a literal; see claim_operations.
-- Across companies: the worker serves them all.
-- Not on Citus: sql/citus/functions has another text.
-- Called by issuer/requests/queries.ts.
create or replace function claim_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_kinds text[]
) returns table (
  company_id uuid, environment environment, id uuid, kind text, amount bigint, product_id text, holder_id uuid, card_id uuid, name text,
  recipient text, wanted text, unsent_count smallint, look_up_count smallint, created_at timestamptz, status_at timestamptz
)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_companies uuid[];
  v_ids uuid[];
  v_kinds text[];
begin
  perform choose_plans('operation');
  with claimed as (
    update issuer_request r set due_at = p_lease_until
    from (
      select d.company_id, d.id from (
        select q.company_id, q.id from issuer_request q
        where q.status = 'processing' and q.environment = p_environment and q.due_at <= p_now and q.kind = any (p_kinds)
        order by q.environment, q.due_at, q.id limit 200
      ) d limit p_limit
    ) n
    where r.company_id = n.company_id and r.environment = p_environment and r.id = n.id
      -- A case, because from it no partial index follows: planned while little was open, it would read everything that is
      -- processing for each of them.
      and case r.status when 'processing' then r.due_at <= p_now else false end
    returning r.company_id, r.id, r.kind
  )
  select array_agg(c.company_id), array_agg(c.id), array_agg(c.kind) into v_companies, v_ids, v_kinds from claimed c;
  return query
    select o.company_id, o.environment, o.id, c.kind, o.amount, o.product_id, o.holder_id, o.card_id, o.name, o.recipient, null::text,
           o.unsent_count, o.look_up_count, o.created_at::timestamptz, o.status_at::timestamptz
    from unnest(v_companies, v_ids, v_kinds) as c (company_id, id, kind)
    join operation o on o.company_id = c.company_id and o.environment = p_environment and o.id = c.id
    where c.kind in ('issue', 'topup', 'service');
  if 'invoice' = any (v_kinds) then
    return query
      select i.company_id, i.environment, i.id, c.kind, i.requested, null::text, null::uuid, null::uuid, null::text, null::text, null::text,
             0::smallint, i.look_up_count, i.created_at::timestamptz, i.status_at::timestamptz
      from unnest(v_companies, v_ids, v_kinds) as c (company_id, id, kind)
      join invoice i on i.company_id = c.company_id and i.environment = p_environment and i.id = c.id
      where c.kind = 'invoice';
  end if;
  if 'card_status' = any (v_kinds) then
    return query
      select g.company_id, g.environment, g.id, c.kind, null::bigint, null::text, null::uuid, g.card_id, null::text, null::text, g.wanted,
             0::smallint, g.look_up_count, g.created_at::timestamptz, g.status_at::timestamptz
      from unnest(v_companies, v_ids, v_kinds) as c (company_id, id, kind)
      join card_change g on g.company_id = c.company_id and g.environment = p_environment and g.id = c.id
      where c.kind = 'card_status';
  end if;
end $$;
