-- Moves a batch of operations out of `processing`, or out of `manual_review` by a decision. Writes the ledger entries that
-- follow, creates or loads the card, and emits the events of both. Only this function writes captures and releases.
--
-- p_statuses: 'completed' (capture and fee), 'failed' (release), 'manual_review' (the funds stay held), 'queued' (nothing was
-- sent; try again at p_dues), 'processing' (still unknown; look up again at p_dues). p_look_ups: how many look-ups were
-- answered.
-- p_accounts has, per item, the position of its account in p_first_items; p_first_items has, per account, the number of its
-- first item. A column in which no item has a value may be null as a whole.
-- p_claimed_at: the operations are still queued; this claims and completes them at once, and emits the events of both.
-- Returns a row for each item that could not be moved, with its status, or null when there is no such operation.
-- Not on Citus: sql/citus/functions has another text.
-- Called by ledger/queries.ts, complete_operations and resolve_review.
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
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_moved integer[];
  v_has_endpoints boolean;
  -- Per account, when it was locked.
  v_balances bigint[];
  v_held bigint[];
  v_sequences bigint[];
  v_times timestamptz[];
  v_companies uuid[];
  v_environments environment[];
  v_events uuid[];
  v_types text[];
  v_is_made_up boolean;
  v_time text := event_time(p_now);
begin
  select array_agg(l.available + l.held order by l.n), array_agg(l.held order by l.n), array_agg(l.sequence order by l.n),
         array_agg(greatest(p_now, l.last_entry_at) order by l.n), bool_or(l.has_endpoints)
  into v_balances, v_held, v_sequences, v_times, v_has_endpoints
  from (
    select h.n, a.available, a.held, a.sequence, a.last_entry_at, a.has_endpoints
    from unnest(p_first_items) with ordinality as h (item, n)
    join account a on a.company_id = p_companies[h.item] and a.environment = p_environments[h.item]
    order by a.company_id, a.environment
    for no key update of a
  ) l;
  if cardinality(v_balances) is distinct from cardinality(p_first_items) then raise 'a company of the batch has no account'; end if;
  perform choose_plans('operation');

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
      claimed_at = coalesce(o.claimed_at, p_claimed_at),
      -- Only another look-up leaves the status unchanged.
      event_count = o.event_count + case when p_claimed_at is not null then 2 else (i.status <> 'processing')::integer end
    from unnest(p_accounts, p_companies, p_environments, p_ids, p_statuses, p_receipts, p_cards, p_last4s, p_failure_codes,
                p_failure_messages, p_dues, p_look_ups)
      with ordinality as i (account, company_id, environment, id, status, receipt, card_id, last4, failure_code,
                            failure_message, due_at, look_ups, n)
    where o.company_id = i.company_id and o.environment = i.environment and o.id = i.id
      and case
        when p_claimed_at is not null then o.status = 'queued'
        when o.status = 'processing' then true
        else o.status = 'manual_review' and i.status in ('completed', 'failed')
      end
    returning i.account, o.company_id, o.environment, o.id, o.type, o.status, o.amount, o.fee, o.holder_id, o.product_id, o.card_id,
              o.name, o.event_count, i.last4, i.due_at, i.n
  ), closed as (
    delete from issuer_request q using moved m
    where q.company_id = m.company_id and q.environment = m.environment and q.id = m.id and m.status in ('completed', 'failed')
  ), still_open as (
    update issuer_request q set status = m.status, due_at = coalesce(m.due_at, q.due_at)
    from moved m
    where q.company_id = m.company_id and q.environment = m.environment and q.id = m.id and m.status not in ('completed', 'failed')
  ), late as (
    -- We close a card only when it has no open top-up, so here the issuer closed it: the amount returns to the account, less what payments
    -- took that the card had not enough for.
    select m.account, m.id, m.n, m.amount,
           greatest(0, least(m.amount, coalesce(c.unreported, 0)
             + sum(m.amount) over (partition by m.company_id, m.environment, m.card_id order by m.n)))::bigint as returned
    from moved m
    join card c on c.company_id = m.company_id and c.environment = m.environment and c.id = m.card_id and c.status = 'closed'
    where m.status = 'completed' and m.type = 'topup'
  ), movement as (
    select m.account, m.id, m.n, 1 as step, 'capture' as kind, 0::bigint as available_delta, -m.amount as held_delta
    from moved m where m.status = 'completed'
    union all
    select m.account, m.id, m.n, 2, 'fee', 0, -m.fee from moved m where m.status = 'completed' and m.fee > 0
    union all
    select m.account, m.id, m.n, 1, 'release', m.amount + m.fee, -m.amount - m.fee from moved m where m.status = 'failed'
    union all
    select l.account, l.id, l.n, 3, 'adjustment', l.returned, 0 from late l where l.returned > 0
  ), written as (
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    select p_companies[p_first_items[v.account]], p_environments[p_first_items[v.account]], v_sequences[v.account] + row_number() over w,
           v.kind, v.id, v.available_delta, v.held_delta,
           v_balances[v.account] + sum(v.available_delta + v.held_delta) over w, v_held[v.account] + sum(v.held_delta) over w,
           v_times[v.account]
    from movement v
    window w as (partition by v.account order by v.n, v.step)
  ), moved_money as (
    update account a set
      available = a.available + t.available_delta,
      held = a.held + t.held_delta,
      sequence = a.sequence + t.entries,
      last_entry_at = v_times[t.account]
    from (
      select account, sum(available_delta)::bigint as available_delta, sum(held_delta)::bigint as held_delta, count(*) as entries
      from movement group by account
    ) t
    where a.company_id = p_companies[p_first_items[t.account]] and a.environment = p_environments[p_first_items[t.account]]
  ), made as (
    insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
    select company_id, environment, card_id, holder_id, product_id, name, last4, 'active', amount, p_now
    from moved where type = 'issue' and status = 'completed'
    returning card.*
  ), listed as (
    insert into card_operation (company_id, environment, card_id, id)
    select company_id, environment, card_id, id from moved where type = 'issue' and status = 'completed'
  ), loaded as (
    -- Grouped, because an update changes a card only once even when the batch has two top-ups of it.
    update card c set
      balance = greatest(0, c.balance + coalesce(c.unreported, 0) + t.amount),
      unreported = nullif(least(0, c.balance + coalesce(c.unreported, 0) + t.amount), 0)
    from (
      select company_id, environment, card_id, sum(amount)::bigint as amount from moved
      where type = 'topup' and status = 'completed' group by company_id, environment, card_id
    ) t
    where c.company_id = t.company_id and c.environment = t.environment and c.id = t.card_id and c.status <> 'closed'
    returning c.*
  ), counted as (
    -- A card's first event, its creation, is not counted; see write_event.
    insert into event_counter as k (company_id, environment, object_id, sequence) select company_id, environment, id, 2 from loaded
    on conflict (company_id, environment, object_id) do update set sequence = k.sequence + 1
    returning company_id, environment, object_id as id, sequence
  ), happened as (
    select company_id, environment, event_id(v_time, id, event_count) as event_id, 'operation.' || status as type, id, event_count as sequence,
           null::jsonb as data
    from moved where status <> 'processing'
    union all
    select company_id, environment, event_id(v_time, id, event_count - 1), 'operation.processing', id, event_count - 1, null
    from moved where p_claimed_at is not null
    union all
    select company_id, environment, event_id(v_time, id, 1), 'card.created', id, 1, card_json(row(made.*)::card) from made
    union all
    select l.company_id, l.environment, event_id(v_time, l.id, k.sequence), 'card.updated', l.id, k.sequence, card_json(row(l.*)::card)
    from loaded l join counted k on k.company_id = l.company_id and k.environment = l.environment and k.id = l.id
  ), told as (
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select company_id, environment, event_id, type, id, sequence, data, p_now from happened
  )
  select m.moved, l.is_made_up, h.companies, h.environments, h.events, h.types
  into v_moved, v_is_made_up, v_companies, v_environments, v_events, v_types
  from (select array_agg(n) as moved from moved) m, (select bool_or(returned < amount) as is_made_up from late) l, (
    select array_agg(company_id) as companies, array_agg(environment) as environments, array_agg(event_id) as events, array_agg(type) as types
    from happened where v_has_endpoints
  ) h;
  if v_has_endpoints then perform fan_out(p_now, v_companies, v_environments, v_events, v_types); end if;

  if v_is_made_up then
    update card c set unreported = nullif(least(0, c.unreported + t.amount), 0)
    from (
      select o.company_id, o.environment, o.card_id, sum(o.amount)::bigint as amount
      from unnest(p_companies, p_environments, p_ids) with ordinality as i (company_id, environment, id, n)
      join operation o on o.company_id = i.company_id and o.environment = i.environment and o.id = i.id
      where i.n = any (v_moved) and o.type = 'topup' and o.status = 'completed'
      group by 1, 2, 3
    ) t
    where c.company_id = t.company_id and c.environment = t.environment and c.id = t.card_id and c.status = 'closed' and c.unreported < 0;
  end if;

  -- A failed issue no longer counts against the month in which it was accepted. This is a statement of its own, because a
  -- statement can update a row only once, and few batches have a failed issue.
  if 'failed' = any (p_statuses) then
    update account a set issued_count = a.issued_count - t.issues
    from (
      select o.company_id, o.environment, date_trunc('month', o.created_at at time zone 'UTC')::date as month, count(*)::integer as issues
      from unnest(p_companies, p_environments, p_ids, p_statuses) with ordinality as i (company_id, environment, id, status, n)
      join operation o on o.company_id = i.company_id and o.environment = i.environment and o.id = i.id
      where i.n = any (v_moved) and o.type = 'issue' and o.status = 'failed'
      group by 1, 2, 3
    ) t
    where a.company_id = t.company_id and a.environment = t.environment and a.issued_month = t.month;
  end if;

  if cardinality(v_moved) = cardinality(p_ids) then return; end if;
  return query
    select i.n::integer, o.status
    from unnest(p_companies, p_environments, p_ids) with ordinality as i (company_id, environment, id, n)
    left join operation o on o.company_id = i.company_id and o.environment = i.environment and o.id = i.id
    where i.n <> all (coalesce(v_moved, '{}'));
end $$;
