-- Moves operations as settle_operations does on PostgreSQL, all of them of one company. What was moved is kept in arrays, and each table
-- has a statement of its own: Citus copies the rows that a statement hands to an insert within it to every node, so that a node that
-- is down would stop the companies of all. Updates, and inserts from arrays, stay on the company's node. A test compares both texts.
-- Called by ledger/queries.ts and resolve_review.
create or replace function settle_operations(
  p_company uuid, p_now timestamptz, p_first_items integer[], p_accounts integer[],
  p_companies uuid[], p_environments environment[], p_ids uuid[], p_statuses text[], p_receipts text[], p_cards uuid[],
  p_last4s text[], p_failure_codes text[], p_failure_messages text[], p_dues timestamptz[], p_look_ups smallint[],
  p_claimed_at timestamptz default null
) returns table (item integer, status text)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_has_endpoints boolean;
  v_time text := event_time(p_now);
  -- Per account, when it was locked.
  v_balances bigint[];
  v_held bigint[];
  v_sequences bigint[];
  v_times timestamptz[];
  -- Per operation that was moved; v_moved are the numbers of their items.
  v_moved bigint[];
  v_accounts integer[];
  v_environments environment[];
  v_ids uuid[];
  v_types text[];
  v_statuses text[];
  v_amounts bigint[];
  v_fees bigint[];
  v_holders uuid[];
  v_products text[];
  v_cards uuid[];
  v_names text[];
  v_last4s text[];
  v_dues timestamptz[];
  v_event_counts integer[];
  -- Per card that was loaded.
  v_loaded_environments environment[];
  v_loaded uuid[];
  v_loaded_data jsonb[];
  v_loaded_sequences integer[];
  -- Per closed card whose payments took more than it had, how much. Top-ups make up for it first.
  v_owing uuid[];
  v_owed bigint[];
  -- Per entry.
  v_entry_accounts integer[];
  v_kinds text[];
  v_references uuid[];
  v_available_deltas bigint[];
  v_held_deltas bigint[];
  -- Per event.
  v_event_environments environment[];
  v_events uuid[];
  v_event_types text[];
  v_objects uuid[];
  v_event_sequences integer[];
  v_event_data jsonb[];
begin
  if p_company <> any (p_companies) then raise 'a batch is of one company'; end if;
  if p_claimed_at is not null then raise 'operations are claimed before they are settled'; end if;
  select array_agg(l.available + l.held order by l.n), array_agg(l.held order by l.n), array_agg(l.sequence order by l.n),
         array_agg(greatest(p_now, l.last_entry_at) order by l.n), bool_or(l.has_endpoints)
  into v_balances, v_held, v_sequences, v_times, v_has_endpoints
  from (
    select h.n, a.available, a.held, a.sequence, a.last_entry_at, a.has_endpoints
    from unnest(p_first_items) with ordinality as h (item, n)
    join account a on a.company_id = p_company and a.environment = p_environments[h.item]
    order by a.environment
    for no key update of a
  ) l;
  if cardinality(v_balances) is distinct from cardinality(p_first_items) then raise 'a company of the batch has no account'; end if;

  with moved as (
    -- An operation that is in the batch twice is moved once, by the first item: an update changes a row only once.
    update operation o set
      status = i.status,
      status_at = case when i.status = o.status then o.status_at else p_now end,
      receipt = i.receipt,
      card_id = coalesce(i.card_id, o.card_id),
      failure_code = i.failure_code,
      failure_message = i.failure_message,
      unsent_count = o.unsent_count + (i.status = 'queued')::integer,
      look_up_count = coalesce(i.look_ups, o.look_up_count),
      -- Only another look-up leaves the status unchanged.
      event_count = o.event_count + (i.status <> 'processing')::integer
    from unnest(p_accounts, p_environments, p_ids, p_statuses, p_receipts, p_cards, p_last4s, p_failure_codes, p_failure_messages,
                p_dues, p_look_ups)
      with ordinality as i (account, environment, id, status, receipt, card_id, last4, failure_code, failure_message, due_at,
                            look_ups, n)
    where o.company_id = p_company and o.environment = i.environment and o.id = i.id
      and (o.status = 'processing' or o.status = 'manual_review' and i.status in ('completed', 'failed'))
    returning i.n, i.account, o.environment, o.id, o.type, o.status, o.amount, o.fee, o.holder_id, o.product_id, o.card_id,
              o.name, i.last4, i.due_at, o.event_count
  )
  select array_agg(m.n), array_agg(m.account), array_agg(m.environment), array_agg(m.id), array_agg(m.type),
         array_agg(m.status), array_agg(m.amount), array_agg(m.fee), array_agg(m.holder_id), array_agg(m.product_id), array_agg(m.card_id),
         array_agg(m.name), array_agg(m.last4), array_agg(m.due_at), array_agg(m.event_count)
  into v_moved, v_accounts, v_environments, v_ids, v_types, v_statuses, v_amounts, v_fees, v_holders, v_products, v_cards,
       v_names, v_last4s, v_dues, v_event_counts
  from moved m;

  if v_statuses && array['queued', 'processing', 'manual_review'] then
    update issuer_request q set status = m.status, due_at = coalesce(m.due_at, q.due_at)
    from unnest(v_environments, v_ids, v_statuses, v_dues) as m (environment, id, status, due_at)
    where q.company_id = p_company and q.environment = m.environment and q.id = m.id and m.status not in ('completed', 'failed');
  end if;
  if v_statuses && array['completed', 'failed'] then
    delete from issuer_request q using unnest(v_environments, v_ids, v_statuses) as m (environment, id, status)
    where q.company_id = p_company and q.environment = m.environment and q.id = m.id and m.status in ('completed', 'failed');

    if 'issue' = any (v_types) then
      insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
      select p_company, m.environment, m.card_id, m.holder_id, m.product_id, m.name, m.last4, 'active', m.amount, p_now
      from unnest(v_environments, v_types, v_statuses, v_cards, v_holders, v_products, v_names, v_last4s, v_amounts)
        as m (environment, type, status, card_id, holder_id, product_id, name, last4, amount)
      where m.type = 'issue' and m.status = 'completed';

      insert into card_operation (company_id, environment, card_id, id)
      select p_company, m.environment, m.card_id, m.id
      from unnest(v_environments, v_types, v_statuses, v_cards, v_ids) as m (environment, type, status, card_id, id)
      where m.type = 'issue' and m.status = 'completed';
    end if;

    if 'topup' = any (v_types) then
      with loaded as (
        -- Grouped, because an update changes a card only once even when the batch has two top-ups of it.
        update card c set
          balance = greatest(0, c.balance + coalesce(c.unreported, 0) + t.amount),
          unreported = nullif(least(0, c.balance + coalesce(c.unreported, 0) + t.amount), 0)
        from (
          select m.environment, m.card_id, sum(m.amount)::bigint as amount
          from unnest(v_environments, v_types, v_statuses, v_cards, v_amounts)
            as m (environment, type, status, card_id, amount)
          where m.type = 'topup' and m.status = 'completed' group by m.environment, m.card_id
        ) t
        where c.company_id = p_company and c.environment = t.environment and c.id = t.card_id and c.status <> 'closed'
        returning c.*
      )
      select array_agg(l.environment), array_agg(l.id), array_agg(card_json(row(l.*)::card))
      into v_loaded_environments, v_loaded, v_loaded_data
      from (select * from loaded order by environment, id) l;

      if v_loaded is not null then
        -- A card's first event, its creation, is not counted; see write_event.
        with counted as (
          insert into event_counter as k (company_id, environment, object_id, sequence)
          select p_company, l.environment, l.id, 2 from unnest(v_loaded_environments, v_loaded) as l (environment, id)
          on conflict (company_id, environment, object_id) do update set sequence = k.sequence + 1
          returning k.environment, k.object_id, k.sequence
        )
        -- In the order of v_loaded.
        select array_agg(k.sequence order by k.environment, k.object_id) into v_loaded_sequences from counted k;
      end if;

      select array_agg(c.id), array_agg(c.unreported) into v_owing, v_owed
      from card c
      where c.company_id = p_company and c.environment = any (p_environments) and c.id = any (v_cards) and c.status = 'closed' and c.unreported < 0;
      if v_owing is not null then
        update card c set unreported = nullif(least(0, c.unreported + t.amount), 0)
        from (
          select m.environment, m.card_id, sum(m.amount)::bigint as amount
          from unnest(v_environments, v_types, v_statuses, v_cards, v_amounts)
            as m (environment, type, status, card_id, amount)
          where m.type = 'topup' and m.status = 'completed' group by m.environment, m.card_id
        ) t
        where c.company_id = p_company and c.environment = t.environment and c.id = t.card_id and c.status = 'closed' and c.unreported < 0;
      end if;
    end if;

    select array_agg(v.account), array_agg(v.kind), array_agg(v.id), array_agg(v.available_delta), array_agg(v.held_delta)
    into v_entry_accounts, v_kinds, v_references, v_available_deltas, v_held_deltas
    from (
      select m.account, k.kind, m.id, k.available_delta, k.held_delta
      from (
        select u.*, sum(u.amount) filter (where u.type = 'topup' and u.status = 'completed') over (partition by u.card_id order by u.n) as loaded
        from unnest(v_moved, v_accounts, v_ids, v_types, v_statuses, v_amounts, v_fees, v_cards)
          as u (n, account, id, type, status, amount, fee, card_id)
      ) m
      cross join lateral (
        select 1 as step, 'capture' as kind, 0::bigint as available_delta, -m.amount as held_delta where m.status = 'completed'
        union all
        select 2, 'fee', 0, -m.fee where m.status = 'completed' and m.fee > 0
        union all
        select 1, 'release', m.amount + m.fee, -m.amount - m.fee where m.status = 'failed'
        union all
        -- We close a card only when it has no open top-up, so here the issuer closed it: the amount returns to the account, less what payments
        -- took that the card had not enough for.
        select 3, 'adjustment', greatest(0, least(m.amount, coalesce(v_owed[array_position(v_owing, m.card_id)], 0) + m.loaded))::bigint, 0
        where m.status = 'completed' and m.type = 'topup' and m.card_id <> all (coalesce(v_loaded, '{}'))
      ) k
      where k.kind <> 'adjustment' or k.available_delta > 0
      order by m.n, k.step
    ) v;

    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    select p_company, p_environments[p_first_items[v.account]], v_sequences[v.account] + row_number() over w,
           v.kind, v.id, v.available_delta, v.held_delta,
           v_balances[v.account] + sum(v.available_delta + v.held_delta) over w, v_held[v.account] + sum(v.held_delta) over w,
           v_times[v.account]
    from unnest(v_entry_accounts, v_kinds, v_references, v_available_deltas, v_held_deltas)
      with ordinality as v (account, kind, id, available_delta, held_delta, n)
    window w as (partition by v.account order by v.n);

    update account a set
      available = a.available + t.available_delta,
      held = a.held + t.held_delta,
      sequence = a.sequence + t.entries,
      last_entry_at = v_times[t.account]
    from (
      select v.account, sum(v.available_delta)::bigint as available_delta, sum(v.held_delta)::bigint as held_delta, count(*) as entries
      from unnest(v_entry_accounts, v_available_deltas, v_held_deltas) as v (account, available_delta, held_delta) group by v.account
    ) t
    where a.company_id = p_company and a.environment = p_environments[p_first_items[t.account]];
  end if;

  select array_agg(h.environment), array_agg(h.event_id), array_agg(h.type), array_agg(h.id), array_agg(h.sequence), array_agg(h.data)
  into v_event_environments, v_events, v_event_types, v_objects, v_event_sequences, v_event_data
  from (
    select m.environment, event_id(v_time, m.id, m.event_count) as event_id, 'operation.' || m.status as type, m.id,
           m.event_count as sequence, null::jsonb as data
    from unnest(v_environments, v_ids, v_statuses, v_event_counts) as m (environment, id, status, event_count)
    where m.status <> 'processing'
    union all
    -- The row that was inserted above.
    select m.environment, event_id(v_time, m.card_id, 1), 'card.created', m.card_id, 1,
           card_json(row(p_company, m.environment, m.card_id, m.holder_id, m.product_id, m.name, m.last4, 'active', m.amount,
                         p_now, null, null)::card)
    from unnest(v_environments, v_types, v_statuses, v_cards, v_holders, v_products, v_names, v_last4s, v_amounts)
      as m (environment, type, status, card_id, holder_id, product_id, name, last4, amount)
    where m.type = 'issue' and m.status = 'completed'
    union all
    select l.environment, event_id(v_time, l.id, l.sequence), 'card.updated', l.id, l.sequence, l.data
    from unnest(v_loaded_environments, v_loaded, v_loaded_sequences, v_loaded_data)
      as l (environment, id, sequence, data)
  ) h;
  if v_events is not null then
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select p_company, h.environment, h.id, h.type, h.object_id, h.sequence, h.data, p_now
    from unnest(v_event_environments, v_events, v_event_types, v_objects, v_event_sequences, v_event_data)
      as h (environment, id, type, object_id, sequence, data);
    if v_has_endpoints then
      perform fan_out(p_now, array_fill(p_company, array[cardinality(v_events)]), v_event_environments, v_events, v_event_types);
    end if;
  end if;

  -- A failed issue no longer counts against the month in which it was accepted. This is a statement of its own, because a
  -- statement can update a row only once, and few batches have a failed issue.
  if 'failed' = any (p_statuses) then
    update account a set issued_count = a.issued_count - t.issues
    from (
      select o.environment, date_trunc('month', o.created_at at time zone 'UTC')::date as month, count(*)::integer as issues
      from unnest(p_environments, p_ids) with ordinality as i (environment, id, n)
      join operation o on o.company_id = p_company and o.environment = i.environment and o.id = i.id
      where i.n = any (v_moved) and o.type = 'issue' and o.status = 'failed'
      group by 1, 2
    ) t
    where a.company_id = p_company and a.environment = t.environment and a.issued_month = t.month;
  end if;

  if cardinality(v_moved) = cardinality(p_ids) then return; end if;
  return query
    select i.n::integer, o.status
    from unnest(p_environments, p_ids) with ordinality as i (environment, id, n)
    left join operation o on o.company_id = p_company and o.environment = i.environment and o.id = i.id
    where i.n <> all (coalesce(v_moved, '{}'));
end $$;
