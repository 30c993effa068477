-- Carries out queued operations of the sandbox that are due, and completes them: at most p_limit and at most 200, in the turns of
-- due_operations. The sandbox issuer keeps its book in this database, so claiming an operation, carrying it out and settling it are one
-- transaction: nothing is ever open in between, and a look-up has nothing to find. It leaves out operations with a name or a recipient of
-- p_texts, or an amount of p_amounts. Their outcome is another one or takes time, so they stay in the queue for claim_operations.
-- What a request would have been answered with follows from the operation's id, as in issuer/sandbox.ts; a test compares them.
-- Returns for each company how many operations were due, the latest time of them, and how many of them were left out.
-- Across companies: the worker serves them all.
-- Not on Citus: a statement of several companies is several transactions there.
-- Called by operations/queries.ts.
create or replace function complete_operations(
  p_environment environment, p_now timestamptz, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[],
  p_positions timestamptz[], p_texts text[], p_amounts bigint[]
)
returns table (company_id uuid, due integer, last timestamptz, left_out integer)
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
  v_owners uuid[];
  v_ids uuid[];
  -- Per operation that is due.
  v_times timestamptz[];
  v_plain boolean[];
  -- Per operation that is completed, in the order of companies.
  v_companies uuid[];
  v_completed uuid[];
  v_accounts integer[];
  v_receipts text[];
  v_cards uuid[];
  v_last4s text[];
begin
  select d.owners, d.ids into v_owners, v_ids
  from due_operations(p_environment, p_now, p_limit, p_share, p_after_company, p_companies, p_positions) d;
  if cardinality(v_ids) = 0 then return; end if;

  -- settle_operations locks the accounts again, which costs little. They are locked here because nobody may hold a table open that a
  -- migration changes while it waits for an account.
  perform from account a join (select distinct u.owner from unnest(v_owners) u (owner)) o on o.owner = a.company_id and a.environment = p_environment
  order by a.company_id for no key update of a;
  perform choose_plans('operation');
  select array_agg(c.company_id), array_agg(c.created_at), array_agg(c.is_plain),
         array_agg(c.company_id) filter (where c.is_plain), array_agg(c.id) filter (where c.is_plain),
         array_agg(c.account) filter (where c.is_plain), array_agg(sandbox_receipt(c.id)) filter (where c.is_plain),
         array_agg(case c.type when 'issue' then issued_card(c.id) end) filter (where c.is_plain),
         array_agg(case c.type when 'issue' then sandbox_last4(c.id) end) filter (where c.is_plain)
  into v_owners, v_times, v_plain, v_companies, v_completed, v_accounts, v_receipts, v_cards, v_last4s
  from (
    select q.*, (dense_rank() over (partition by q.is_plain order by q.company_id))::integer as account
    from (
      select o.company_id, o.id, o.type, o.created_at,
             o.amount <> all (p_amounts)
               and coalesce(case o.type when 'issue' then o.name when 'service' then o.recipient end, '') <> all (p_texts) as is_plain
      from unnest(v_owners, v_ids) as d (company_id, id)
      -- The limit makes the planner look each operation up by its key. With few operations of any kind queued, it would otherwise rather read
      -- the whole environment for them, and keep that plan while the table grows.
      cross join lateral (
        select k.* from operation k where k.company_id = d.company_id and k.environment = p_environment and k.id = d.id limit 1
      ) o
      where o.status = 'queued'
    ) q
  ) c;

  if v_completed is not null then
    perform settle_operations(
      v_companies[1], p_now, array(select min(a.n)::integer from unnest(v_accounts) with ordinality a (account, n) group by a.account order by a.account),
      v_accounts, v_companies, array_fill(p_environment, array[cardinality(v_completed)]), v_completed,
      array_fill('completed'::text, array[cardinality(v_completed)]), v_receipts, v_cards, v_last4s, null, null, null, null, p_now);
  end if;

  return query
    select d.company_id, count(*)::integer, max(d.created_at), (count(*) filter (where not d.is_plain))::integer
    from unnest(v_owners, v_times, v_plain) as d (company_id, created_at, is_plain) group by d.company_id;
end $$;
