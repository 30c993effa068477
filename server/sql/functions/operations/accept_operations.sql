-- Accepts a batch of operations: decides each item with operation_refusal, reserves the funds of the accepted ones, and returns
-- the verdicts on the others. Only this function and accept_operation write new operations and reservations. An accepted
-- operation is also its own first event (see event_log). Each item gets the verdict that it would get if the items came one
-- after the other, and an account without funds does not delay the others.
--
-- p_company is the company of the first item. Citus routes the call by it, and there all items are of this company.
-- p_accounts has, per item, the position of its account in p_first_items; p_first_items has, per account, the number of its
-- first item. A column in which no item has a value may be null as a whole. p_creators says who ordered each item; processes of
-- the previous release do not pass it.
--
-- Returns a row for each item that is not newly accepted. An accepted operation has p_now as its createdAt.
-- verdict: 'replay' or 'conflict', with the original operation; or the reason for the refusal: 'no_holder',
-- 'holder_inactive', 'no_card', 'card_inactive', 'quota' or 'funds'.
-- Called by ledger/queries.ts.
create or replace function accept_operations(
  p_company uuid, p_now timestamptz, p_first_items integer[], p_accounts integer[],
  p_companies uuid[], p_environments environment[], p_ids uuid[], p_keys text[], p_digests text[], p_types text[],
  p_products text[], p_amounts bigint[], p_fees bigint[], p_holders uuid[], p_cards uuid[], p_names text[],
  p_recipients text[], p_quotas integer[], p_creators text[] default null
) returns table (
  item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamptz
)
language plpgsql
-- Plans are made once and must suit tables of any size, so the planner may only use indexes.
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
  v_month date := date_trunc('month', p_now at time zone 'UTC');
  v_has_endpoints boolean;
  -- Per account, when it was locked.
  v_starts bigint[];
  v_balances bigint[];
  v_sequences bigint[];
  v_times timestamptz[];
  v_issued integer[];     -- the issues of the month; null until they are counted
  -- Per account, the running values.
  v_left bigint[];
  v_numbered bigint[];
  v_issues integer[];
  -- Per item.
  v_statuses text[];
  v_verdicts text[];
  v_names text[];
  v_available bigint[];   -- the available amount when the item was decided
  v_numbers bigint[];     -- the number of its entry; null unless the item is accepted
  v_known bigint[];       -- the items whose key exists; null until they are looked up
  v_twins integer[];      -- the previous item with the same key; set together with v_known
  v_account integer;
  v_total bigint;
  v_refusals boolean;
begin
  -- (1) Lock the accounts in key order. Every money write does so first, so money writes cannot deadlock. This is a
  -- statement of its own, so that the next one sees what the previous owner of the lock committed.
  select array_agg(l.available order by l.n), array_agg(l.available + l.held order by l.n), array_agg(l.sequence order by l.n),
         array_agg(greatest(p_now, l.last_entry_at) order by l.n),
         array_agg(case when l.issued_month < v_month then 0 when l.issued_month = v_month then l.issued_count end order by l.n),
         bool_or(l.has_endpoints)
  into v_starts, v_balances, v_sequences, v_times, v_issued, v_has_endpoints
  from (
    select h.n, a.available, a.held, a.sequence, a.last_entry_at, a.issued_month, a.issued_count, a.has_endpoints
    from unnest(p_first_items) with ordinality as h (item, n)
    join account a on a.company_id = coalesce(v_company, p_companies[h.item])
      and a.environment = p_environments[h.item]
    order by a.company_id, a.environment
    for no key update of a
  ) l;
  if cardinality(v_starts) is distinct from cardinality(p_first_items) then raise 'a company of the batch has no account'; end if;

  -- Keys are nearly always new and distinct, so the first pass does not look all of them up. It looks up the keys of
  -- refused items, because a replay takes precedence over a refusal, and relies on the unique index for the others. When a
  -- key exists, the pass is rolled back, and a second pass decides the batch with all keys looked up and compared with each
  -- other. The accounts stay locked.
  loop
    begin
      -- (2) Look up the holder or the card of each item. The limit keeps the planner from joining the tables as a whole.
      select array_agg(j.status order by j.n), array_agg(j.name order by j.n) into v_statuses, v_names
      from (
        -- A card without a label gets its holder's name.
        select i.n, o.status, coalesce(i.name, o.name) as name
        from unnest(p_companies, p_environments, p_holders, p_cards, p_names)
          with ordinality as i (company_id, environment, holder_id, card_id, name, n)
        left join lateral (
          select h.status, left(h.name, 64) as name
          from holder h
          where h.company_id = coalesce(v_company, i.company_id)
            and h.environment = i.environment and h.id = i.holder_id
          union all
          select case when c.pending_status is null then c.status else 'changing' end, null
          from card c
          where c.company_id = coalesce(v_company, i.company_id)
            and c.environment = i.environment and c.id = i.card_id
          limit 1
        ) o on true
      ) j;

      -- (3) Decide the items in order of arrival. This is arithmetic only, without a statement per item. Fill arrays that
      -- may be assigned out of order; PostgreSQL would otherwise start them at the first index written.
      v_left := v_starts;
      v_numbered := v_sequences;
      v_issues := array_fill(0, array[cardinality(p_first_items)]);
      v_numbers := array_fill(null::bigint, array[cardinality(p_ids)]);
      v_refusals := false;
      for i in 1 .. cardinality(p_ids) loop
        v_account := p_accounts[i];
        v_available[i] := v_left[v_account];
        -- A repeated key in the batch is known, unless the earlier item was refused: a refusal does not consume the key.
        if v_known is not null and (i = any (v_known) or v_verdicts[v_twins[i]] in ('accepted', 'known')) then
          v_verdicts[i] := 'known';
          continue;
        end if;
        v_total := p_amounts[i] + p_fees[i];
        if p_types[i] = 'issue' and p_quotas[i] is not null and v_issued[v_account] is null then
          v_issued[v_account] := count_issues(p_companies[i], p_environments[i], v_month);
        end if;
        v_verdicts[i] := coalesce(operation_refusal(
          p_types[i], p_holders[i], p_cards[i], v_statuses[i], v_issued[v_account] + v_issues[v_account], p_quotas[i],
          v_total, v_left[v_account]
        ), 'accepted');
        if v_verdicts[i] <> 'accepted' then
          v_refusals := true;
          if v_known is null and array_position(p_keys, p_keys[i]) < i then raise unique_violation; end if;
        else
          v_left[v_account] := v_left[v_account] - v_total;
          v_numbers[i] := v_numbered[v_account] + 1;
          v_numbered[v_account] := v_numbers[i];
          if p_types[i] = 'issue' then v_issues[v_account] := v_issues[v_account] + 1; end if;
        end if;
      end loop;

      if v_refusals and v_known is null and exists (
        select from find_operations_by_key(p_companies, p_environments, (
          select array_agg(case when i.number is null then i.key end order by i.n)
          from unnest(p_keys, v_numbers) with ordinality as i (key, number, n)
        ))
      ) then
        raise unique_violation;
      end if;

      -- (4) Write everything that was accepted.
      insert into operation (company_id, environment, id, type, status, amount, fee, product_id, holder_id, card_id, name, recipient,
                             idempotency_key, request_digest, created_at, status_at, due_at, created_by)
      select i.company_id, i.environment, i.id, i.type, 'queued', i.amount, i.fee, i.product_id, i.holder_id, i.card_id, i.name,
             i.recipient, i.key, decode(i.digest, 'hex'), p_now, p_now, p_now, i.creator
      from unnest(p_companies, p_environments, p_ids, p_keys, p_digests, p_types, p_products, p_amounts, p_fees, p_holders,
                  p_cards, v_names, p_recipients, v_numbers, p_creators)
        as i (company_id, environment, id, key, digest, type, product_id, amount, fee, holder_id,
              card_id, name, recipient, number, creator)
      where i.number is not null;

      insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
      select i.company_id, i.environment, i.id, i.type, 'queued', p_now, i.amount + i.fee
      from unnest(p_companies, p_environments, p_ids, p_types, p_amounts, p_fees, v_numbers)
        as i (company_id, environment, id, type, amount, fee, number)
      where i.number is not null;

      if p_cards is not null then
        insert into card_operation (company_id, environment, card_id, id)
        select i.company_id, i.environment, i.card_id, i.id
        from unnest(p_companies, p_environments, p_cards, p_ids, v_numbers) as i (company_id, environment, card_id, id, number)
        where i.number is not null and i.card_id is not null;
      end if;

      -- A reservation moves money from available to held. Their sum, the balance, does not change.
      insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
      select i.company_id, i.environment, i.number, 'reservation', i.id, - i.amount - i.fee, i.amount + i.fee,
             v_balances[i.account], v_balances[i.account] - i.available + i.amount + i.fee, v_times[i.account]
      from unnest(p_companies, p_environments, p_accounts, v_numbers, p_ids, p_amounts, p_fees, v_available)
        as i (company_id, environment, account, number, id, amount, fee, available)
      where i.number is not null;

      update account a set
        available = t.available,
        held = t.balance - t.available,
        sequence = t.sequence,
        last_entry_at = t.entry_at,
        -- Never go back a month: around midnight a batch of the old month may get the lock after one of the new month.
        issued_month = case when t.issues > 0 then greatest(v_month, a.issued_month) else a.issued_month end,
        issued_count = case
          when t.issues = 0 or a.issued_month > v_month then a.issued_count
          when a.issued_month = v_month then a.issued_count + t.issues
          else t.issues
        end
      from unnest(p_first_items, v_left, v_balances, v_numbered, v_times, v_issues)
        as t (item, available, balance, sequence, entry_at, issues)
      where a.company_id = coalesce(v_company, p_companies[t.item])
        and a.environment = p_environments[t.item] and a.sequence < t.sequence;
      exit;
    exception when unique_violation then
      if v_known is not null then raise; end if;
      select coalesce(array_agg(k.item), '{}') into v_known from find_operations_by_key(p_companies, p_environments, p_keys) k;
      select array_agg(t.twin order by t.n) into v_twins
      from (
        select i.n, lag(i.n) over (partition by i.account, i.key order by i.n) as twin
        from unnest(p_accounts, p_keys) with ordinality as i (account, key, n)
      ) t;
    end;
  end loop;

  if v_has_endpoints then
    perform fan_out(p_now, array_agg(i.company_id), array_agg(i.environment), array_agg(i.id), array_agg('operation.queued'::text))
    from unnest(p_companies, p_environments, p_ids, v_numbers) as i (company_id, environment, id, number)
    where i.number is not null;
  end if;

  -- (5) Return the verdicts on the other items.
  if v_refusals then
    return query
      select i.n::integer, i.verdict, i.available, null::uuid, null::text, null::bigint, null::bigint, null::timestamptz
      from unnest(v_verdicts, v_available) with ordinality as i (verdict, available, n)
      where i.verdict not in ('accepted', 'known');
  end if;
  if v_known is not null then
    return query
      select o.item, o.verdict, i.available, o.id, o.type, o.amount, o.fee, o.created_at
      from unnest(v_verdicts, v_available) with ordinality as i (verdict, available, n)
      join find_originals(p_companies, p_environments, p_keys, p_digests) o on o.item = i.n
      where i.verdict = 'known';
  end if;
end $$;
