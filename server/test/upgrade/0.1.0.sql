-- A database of version 0.1.0 with rows in every table. CONTRIBUTING.md says how it was made. Do not edit.

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA reference_issuer;

CREATE TYPE public.environment AS ENUM (
    'sandbox',
    'live'
);

CREATE FUNCTION public.accept_operation(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_key text, p_digest text, p_type text, p_product text, p_amount bigint, p_fee bigint, p_holder uuid, p_card uuid, p_name text, p_recipient text, p_quota integer) RETURNS TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  v_month date := date_trunc('month', p_now at time zone 'UTC');
  v_total bigint := p_amount + p_fee;
  v_account account;
  v_status text;
  v_name text := p_name;
  v_issued integer;
begin
  select * into strict v_account from account a
  where a.company_id = p_company and a.environment = p_environment for no key update;

  return query
    select 1, case when o.request_digest = decode(p_digest, 'hex') then 'replay' else 'conflict' end, v_account.available,
           o.id, o.type, o.amount, o.fee, o.created_at::timestamptz
    from (
      -- By order: see find_operations_by_key.
      select * from operation k
      where k.company_id = p_company and k.environment = p_environment and k.idempotency_key >= p_key
      order by k.idempotency_key limit 1
    ) o
    where o.idempotency_key = p_key;
  if found then return; end if;

  if p_holder is not null then
    select h.status, coalesce(p_name, left(h.name, 64)) into v_status, v_name from holder h
    where h.company_id = p_company and h.environment = p_environment and h.id = p_holder;
  elsif p_card is not null then
    select case when c.pending_status is null then c.status else 'changing' end into v_status from card c where c.company_id = p_company and c.environment = p_environment and c.id = p_card;
  end if;
  v_issued := case
    when v_account.issued_month < v_month then 0
    when v_account.issued_month = v_month then v_account.issued_count
    when p_quota is not null then count_issues(p_company, p_environment, v_month)
  end;
  verdict := case
    when p_holder is not null and v_status is null then 'no_holder'
    when p_holder is not null and v_status <> 'active' then 'holder_inactive'
    when p_holder is null and p_card is not null and v_status is null then 'no_card'
    when p_holder is null and p_card is not null and v_status <> 'active' then 'card_inactive'
    when p_type = 'issue' and v_issued >= p_quota then 'quota'
    when v_total > v_account.available then 'funds'
  end;
  if verdict is not null then
    item := 1;
    available := v_account.available;
    return next;
    return;
  end if;

  insert into operation (company_id, environment, id, type, amount, fee, product_id, holder_id, card_id, name, recipient,
                         idempotency_key, request_digest, created_at, status_at, due_at)
  values (p_company, p_environment, p_id, p_type, p_amount, p_fee, p_product, p_holder, p_card, v_name, p_recipient,
          p_key, decode(p_digest, 'hex'), p_now, p_now, p_now);
  insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
  values (p_company, p_environment, v_account.sequence + 1, 'reservation', p_id, -v_total, v_total,
          v_account.available + v_account.held, v_account.held + v_total, greatest(p_now, v_account.last_entry_at));
  update account a set
    available = a.available - v_total,
    held = a.held + v_total,
    sequence = a.sequence + 1,
    last_entry_at = greatest(p_now, a.last_entry_at),
    issued_month = case when p_type = 'issue' then greatest(v_month, a.issued_month) else a.issued_month end,
    issued_count = case when p_type <> 'issue' or a.issued_month > v_month then a.issued_count else v_issued + 1 end
  where a.company_id = p_company and a.environment = p_environment;
  if v_account.has_endpoints then
    perform fan_out(p_now, array[p_company], array[p_environment], array[p_id], array['operation.queued']);
  end if;
end $$;

CREATE FUNCTION public.accept_operations(p_company uuid, p_now timestamp with time zone, p_heads integer[], p_accounts integer[], p_companies uuid[], p_environments public.environment[], p_ids uuid[], p_keys text[], p_digests text[], p_types text[], p_products text[], p_amounts bigint[], p_fees bigint[], p_holders uuid[], p_cards uuid[], p_names text[], p_recipients text[], p_quotas integer[]) RETURNS TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  v_month date := date_trunc('month', p_now at time zone 'UTC');
  v_has_endpoints boolean;
  -- Per account, as it was locked.
  v_starts bigint[];
  v_balances bigint[];
  v_sequences bigint[];
  v_times timestamptz[];
  v_months date[];
  v_issued integer[];
  -- Per account, what is left of it, and what becomes of it.
  v_left bigint[];
  v_numbered bigint[];
  v_issues_left integer[];
  v_issues integer[];
  -- Per item.
  v_verdicts text[];
  v_names text[];
  v_available bigint[];   -- what was available when it was decided
  v_numbers bigint[];     -- the number of its entry; null unless it is accepted
  v_known bigint[];       -- the items whose key exists; null while that was not asked
  v_twins integer[];      -- the item before it with the same key; asked with v_known
  v_account integer;
  v_total bigint;
  v_refusals boolean;
begin
  -- (1) Every money write locks the account first, in key order: one lock class, hence no deadlock. A statement of its
  -- own, so that the next one sees what the previous holder of the lock committed.
  select array_agg(l.available order by l.n), array_agg(l.available + l.held order by l.n), array_agg(l.sequence order by l.n),
         array_agg(greatest(p_now, l.last_entry_at) order by l.n), array_agg(l.issued_month order by l.n),
         array_agg(l.issued_count order by l.n), bool_or(l.has_endpoints)
  into v_starts, v_balances, v_sequences, v_times, v_months, v_issued, v_has_endpoints
  from (
    select h.n, a.available, a.held, a.sequence, a.last_entry_at, a.issued_month, a.issued_count, a.has_endpoints
    from unnest(p_heads) with ordinality as h (item, n)
    join account a on a.company_id = p_companies[h.item] and a.environment = p_environments[h.item]
    order by a.company_id, a.environment
    for no key update of a
  ) l;
  if cardinality(v_starts) is distinct from cardinality(p_heads) then raise 'a company of the batch has no account'; end if;

  -- Keys are nearly always new, and different. So only those of refused items are looked up, for a replay is answered
  -- before anything is refused; of the others the index refuses one that exists. Either way what was written is undone, and
  -- the batch is decided again with all keys looked up, and compared with each other. The accounts stay locked.
  loop
    begin
      -- (2) What is known of each item: the holder or the card that it is for. With a limit, so that it stays one look-up.
      select array_agg(j.verdict order by j.n), array_agg(j.name order by j.n) into v_verdicts, v_names
      from (
        select i.n,
          -- A card without a label of its own bears its holder's name.
          coalesce(i.name, o.name) as name,
          case
            when o.verdict is not null then o.verdict
            when i.holder_id is not null then 'no_holder'
            when i.card_id is not null then 'no_card'
            else 'fits'
          end as verdict
        from unnest(p_companies, p_environments, p_holders, p_cards, p_names)
          with ordinality as i (company_id, environment, holder_id, card_id, name, n)
        left join lateral (
          select case when h.status = 'active' then 'fits' else 'holder_inactive' end as verdict, left(h.name, 64) as name
          from holder h where h.company_id = i.company_id and h.environment = i.environment and h.id = i.holder_id
          union all
          select case when c.status = 'active' and c.pending_status is null then 'fits' else 'card_inactive' end, null
          from card c where c.company_id = i.company_id and c.environment = i.environment and c.id = i.card_id
          limit 1
        ) o on true
      ) j;

      -- (3) In order of arrival, as long as quota and funds last. Arithmetic only, no statement per item. An array that
      -- may not be written from its first element on begins full: else it would begin where it was first written.
      v_left := v_starts;
      v_numbered := v_sequences;
      v_issues := array_fill(0, array[cardinality(p_heads)]);
      v_issues_left := array_fill(null::integer, array[cardinality(p_heads)]);
      v_numbers := array_fill(null::bigint, array[cardinality(p_ids)]);
      v_refusals := false;
      for i in 1 .. cardinality(p_ids) loop
        v_account := p_accounts[i];
        v_available[i] := v_left[v_account];
        -- A key that stands twice here is known the second time, unless the first was refused: that consumes no key.
        if v_known is not null and (i = any (v_known) or v_verdicts[v_twins[i]] in ('accepted', 'known')) then
          v_verdicts[i] := 'known';
          continue;
        end if;
        v_total := p_amounts[i] + p_fees[i];
        if p_quotas[i] is not null and p_types[i] = 'issue' then
          v_issues_left[v_account] := coalesce(v_issues_left[v_account], p_quotas[i] - case
            when v_months[v_account] < v_month then 0
            when v_months[v_account] = v_month then v_issued[v_account]
            else count_issues(p_companies[i], p_environments[i], v_month)
          end);
          if v_verdicts[i] = 'fits' and v_issues_left[v_account] <= 0 then v_verdicts[i] := 'quota'; end if;
        end if;
        if v_verdicts[i] = 'fits' and v_total > v_left[v_account] then v_verdicts[i] := 'funds'; end if;
        if v_verdicts[i] <> 'fits' then
          v_refusals := true;
          if v_known is null and array_position(p_keys, p_keys[i]) < i then raise unique_violation; end if;
        else
          v_verdicts[i] := 'accepted';
          v_left[v_account] := v_left[v_account] - v_total;
          v_numbers[i] := v_numbered[v_account] + 1;
          v_numbered[v_account] := v_numbers[i];
          if p_types[i] = 'issue' then
            v_issues_left[v_account] := v_issues_left[v_account] - 1;
            v_issues[v_account] := v_issues[v_account] + 1;
          end if;
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

      -- (4) All that was accepted, at once.
      insert into operation (company_id, environment, id, type, amount, fee, product_id, holder_id, card_id, name, recipient,
                             idempotency_key, request_digest, created_at, status_at, due_at)
      select i.company_id, i.environment, i.id, i.type, i.amount, i.fee, i.product_id, i.holder_id, i.card_id, i.name,
             i.recipient, i.key, decode(i.digest, 'hex'), p_now, p_now, p_now
      from unnest(p_companies, p_environments, p_ids, p_keys, p_digests, p_types, p_products, p_amounts, p_fees, p_holders,
                  p_cards, v_names, p_recipients, v_numbers)
        as i (company_id, environment, id, key, digest, type, product_id, amount, fee, holder_id,
              card_id, name, recipient, number)
      where i.number is not null;

      -- A reservation moves money from available to held: their sum, the balance, stays.
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
        -- Never back to the month before: around midnight a batch of the old month may get the lock after one of the new.
        issued_month = case when t.issues > 0 then greatest(v_month, a.issued_month) else a.issued_month end,
        issued_count = case
          when t.issues = 0 or a.issued_month > v_month then a.issued_count
          when a.issued_month = v_month then a.issued_count + t.issues
          else t.issues
        end
      from unnest(p_heads, v_left, v_balances, v_numbered, v_times, v_issues)
        as t (item, available, balance, sequence, entry_at, issues)
      where a.company_id = p_companies[t.item] and a.environment = p_environments[t.item] and a.sequence < t.sequence;
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

  -- (5) What the others get to hear.
  if v_refusals then
    return query
      select i.n::integer, i.verdict, i.available, null::uuid, null::text, null::bigint, null::bigint, null::timestamptz
      from unnest(v_verdicts, v_available) with ordinality as i (verdict, available, n)
      where i.verdict not in ('accepted', 'known');
  end if;
  if v_known is not null then
    return query
      select i.n::integer, case when o.request_digest = decode(i.digest, 'hex') then 'replay' else 'conflict' end,
             i.available, o.id, o.type, o.amount, o.fee, o.created_at::timestamptz
      from unnest(p_companies, p_environments, p_digests, v_verdicts, v_available)
        with ordinality as i (company_id, environment, digest, verdict, available, n)
      join find_operations_by_key(p_companies, p_environments, p_keys) k on k.item = i.n
      join operation o on o.company_id = i.company_id and o.environment = i.environment and o.id = k.id
      where i.verdict = 'known';
  end if;
end $$;

CREATE FUNCTION public.account_statement(p_company uuid, p_environment public.environment, p_from timestamp with time zone, p_until timestamp with time zone, p_limit bigint) RETURNS TABLE(company_name text, first_number bigint, last_number bigint, opening bigint, opening_held bigint, closing bigint, incoming bigint, outgoing bigint, hash_before bytea, hash_after bytea, too_many_at timestamp with time zone, lines text)
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET "TimeZone" TO 'UTC'
    SET "DateStyle" TO 'ISO'
    AS $$
declare
  v_newest bigint;
begin
  select a.sequence, c.name into strict v_newest, company_name
  from account a join company c on c.id = a.company_id where a.company_id = p_company and a.environment = p_environment;
  first_number := first_entry_at(p_company, p_environment, v_newest, p_from);
  last_number := first_entry_at(p_company, p_environment, v_newest, p_until) - 1;
  if last_number - first_number + 1 > p_limit then
    select e.created_at into too_many_at from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number = first_number + p_limit;
    return next;
    return;
  end if;

  select e.balance, e.held into opening, opening_held from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number = first_number - 1;
  opening := coalesce(opening, 0);
  opening_held := coalesce(opening_held, 0);
  select coalesce(sum(r.amount) filter (where r.amount > 0), 0), coalesce(-sum(r.amount) filter (where r.amount < 0), 0), string_agg(r.line, E'\n' order by r.number)
  into incoming, outgoing, lines
  from (
    select e.number, e.available_delta + e.held_delta as amount,
      concat_ws('|', e.kind, case
        when e.kind in ('reservation', 'capture', 'release') or e.held_delta <> 0 then 'op'
        when e.kind = 'adjustment' then case
          when (select true from card c where c.company_id = p_company and c.environment = p_environment and c.id = e.reference) then 'card'
          when e.reference = (select t.id from transaction t where (t.company_id, t.environment, t.id) >= (p_company, p_environment, e.reference)
          order by t.company_id, t.environment, t.id limit 1) then 'txn'
          else 'op' end
        when (select true from deposit d where d.company_id = p_company and d.environment = p_environment and d.id = e.reference) then 'fund'
        else 'inv'
      end, e.reference, e.balance, e.available_delta, e.held_delta, e.created_at) as line
    from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number between first_number and last_number
  ) r;
  select coalesce((select e.balance from entry e where e.company_id = p_company and e.environment = p_environment and e.number = last_number), opening)
  into closing;
  hash_before := chain_at(p_company, p_environment, first_number - 1);
  hash_after := chain_at(p_company, p_environment, last_number);
  return next;
end $$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.api_key (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    environment public.environment NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    prefix text NOT NULL,
    last4 text NOT NULL,
    scopes text[] NOT NULL,
    allowed_cidrs text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    last_used_at timestamp(3) with time zone,
    expiry_told_at timestamp(3) with time zone,
    CONSTRAINT api_key_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT api_key_last4_check CHECK ((length(last4) = 4)),
    CONSTRAINT api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

CREATE FUNCTION public.api_key_json(p_key public.api_key) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object(
    'id', 'key_' || replace(p_key.id::text, '-', ''),
    'prefix', p_key.prefix,
    'last4', p_key.last4,
    'environment', p_key.environment,
    'name', p_key.name,
    'scopes', p_key.scopes,
    'allowedCidrs', p_key.allowed_cidrs,
    'createdAt', to_char(p_key.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'expiresAt', to_char(p_key.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'revokedAt', to_char(p_key.revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'lastUsedAt', to_char(p_key.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

CREATE FUNCTION public.audit_account(p_company uuid, p_environment public.environment) RETURNS TABLE(entries bigint, difference text)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
declare
  v_account account;
  v_seal seal;
  v_from bigint := 0;
  v_hash bytea := chain_start(p_company, p_environment);
begin
  select * into strict v_account from account a where a.company_id = p_company and a.environment = p_environment;

  -- The balance is the sum of the entries; numbers have no gaps; running figures and times agree.
  return query
    with e as (
      select n.number, n.balance, n.held, n.created_at, n.available_delta, n.held_delta,
             sum(n.available_delta + n.held_delta) over w as balance_derived, sum(n.held_delta) over w as held_derived,
             row_number() over w as position, lag(n.created_at) over w as previous_at
      from entry n where n.company_id = p_company and n.environment = p_environment
      window w as (order by n.number)
    ), t as (
      select count(*) as entries, coalesce(sum(available_delta), 0) as available, coalesce(sum(held_delta), 0) as held,
             min(number) filter (where number <> position) as gap,
             min(number) filter (where balance <> balance_derived or held <> held_derived) as wrong,
             min(number) filter (where created_at < previous_at) as back_in_time
      from e
    )
    select t.entries, d.difference from t, lateral (values
      (case when t.entries <> v_account.sequence then format('sequence is %s, entries are %s', v_account.sequence, t.entries) end),
      (case when t.available <> v_account.available then format('available is %s, entries say %s', v_account.available, t.available) end),
      (case when t.held <> v_account.held then format('held is %s, entries say %s', v_account.held, t.held) end),
      (case when t.gap is not null then format('numbering breaks before entry %s', t.gap) end),
      (case when t.wrong is not null then format('running figures are wrong at entry %s', t.wrong) end),
      (case when t.back_in_time is not null then format('entry %s is older than the one before it', t.back_in_time) end),
      (null)
    ) d (difference);

  -- What is held is what unfinished operations reserve, and every operation has exactly the entries of its status.
  return query
    with o as (
      select n.id, n.status, n.amount, n.fee from operation n where n.company_id = p_company and n.environment = p_environment
    ), e as (
      select n.reference, sum(n.held_delta) filter (where n.kind = 'reservation') as reserved, -sum(n.held_delta) filter (where n.kind = 'capture') as captured,
             -sum(n.held_delta) filter (where n.kind = 'fee') as charged, -sum(n.held_delta) filter (where n.kind = 'release') as released,
             count(*) filter (where n.kind = 'reservation') as reservations
      from entry n where n.company_id = p_company and n.environment = p_environment and n.kind in ('reservation', 'capture', 'release', 'fee') and n.held_delta <> 0
      group by n.reference
    ), differing as (
      select coalesce(o.id, e.reference) as id, o.status
      from o full join e on e.reference = o.id
      where o.id is null or e.reference is null or e.reservations <> 1 or e.reserved <> o.amount + o.fee
        or coalesce(e.captured, 0) <> case when o.status = 'completed' then o.amount else 0 end
        or coalesce(e.charged, 0) <> case when o.status = 'completed' then o.fee else 0 end
        or coalesce(e.released, 0) <> case when o.status = 'failed' then o.amount + o.fee else 0 end
    )
    select 0::bigint, format('entries do not fit operation %s (%s)', d.id, coalesce(d.status, 'missing')) from (select * from differing limit 100) d
    union all
    select 0, format('held is %s, unfinished operations reserve %s', v_account.held, t.held)
    from (select coalesce(sum(o.amount + o.fee), 0) as held from o where o.status in ('queued', 'processing', 'manual_review')) t
    where t.held <> v_account.held;

  -- Every deposit is one of the sandbox, of a completed invoice or of a payment decided to be credited, and the other way round.
  return query
    with d as (
      select n.id, n.amount as deposit, 0::bigint as fee from deposit n where n.company_id = p_company and n.environment = p_environment
      union all
      select n.id, n.deposit, n.fee from invoice n
      where n.company_id = p_company and n.environment = p_environment and n.status = 'completed'
      union all
      select n.id, n.deposit, n.fee from payment_review n
      where n.company_id = p_company and n.environment = p_environment and n.status = 'completed'
    ), e as (
      select n.reference, sum(n.available_delta) filter (where n.kind = 'deposit') as deposited,
             coalesce(-sum(n.available_delta) filter (where n.kind = 'fee'), 0) as charged
      from entry n
      where n.company_id = p_company and n.environment = p_environment and (n.kind = 'deposit' or (n.kind = 'fee' and n.held_delta = 0))
      group by n.reference
    )
    select 0::bigint, format('entries do not fit deposit %s', t.id) from (
      select coalesce(d.id, e.reference) as id from d full join e on e.reference = d.id
      where d.id is null or e.reference is null or e.deposited is distinct from d.deposit or e.charged <> d.fee limit 100
    ) t;

  return query
    select 0::bigint, format('%s issues counted in %s, operations say %s', v_account.issued_count, to_char(v_account.issued_month, 'YYYY-MM'), t.issues)
    from (select count_issues(p_company, p_environment, v_account.issued_month) as issues) t
    where t.issues <> v_account.issued_count and v_account.issued_month > '1970-01-01';

  -- Every seal is the chain's value over the entries as they are now.
  for v_seal in select * from seal s where s.company_id = p_company and s.environment = p_environment order by s.number loop
    if v_seal.hash is distinct from chain_over(p_company, p_environment, v_from, v_hash, v_seal.number) then
      return query select 0::bigint, format('the hash chain breaks between entries %s and %s', v_from + 1, v_seal.number);
    end if;
    v_from := v_seal.number;
    v_hash := v_seal.hash;
  end loop;
end $$;

CREATE FUNCTION public.begin_card_change(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_card uuid, p_wanted text, p_from text[], p_due timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_card card;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return null; end if;
  if v_card.pending_status is not null then return case when v_card.pending_status = p_wanted then 'same' else 'other' end; end if;
  if v_card.status = p_wanted then return 'already'; end if;
  if v_card.status <> all (p_from) then return 'refused'; end if;
  if p_wanted = 'closed' and exists (
    select from operation o
    where o.company_id = p_company and o.environment = p_environment and o.card_id = p_card and o.type = 'topup'
      and o.status in ('queued', 'processing', 'manual_review')
  ) then return 'topup_open'; end if;
  insert into card_change (company_id, environment, id, card_id, wanted, status, created_at, status_at, due_at)
  values (p_company, p_environment, p_id, p_card, p_wanted, 'processing', p_now, p_now, p_due);
  update card c set pending_status = p_wanted where c.company_id = p_company and c.environment = p_environment and c.id = p_card
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  return 'begun';
end $$;

CREATE FUNCTION public.begin_invoice(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint, p_lease_until timestamp with time zone, p_link_digest text) RETURNS TABLE(verdict text, id uuid, status text, expires_at timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;

  return query
    select case when i.request_digest = decode(p_digest, 'hex') then 'replay' else 'conflict' end, i.id, i.status, i.expires_at::timestamptz
    from invoice i where i.company_id = p_company and i.environment = p_environment and i.idempotency_key = p_key;
  if found then return; end if;
  return query
    select 'unresolved', i.id, i.status, i.expires_at::timestamptz from invoice i
    where i.company_id = p_company and i.environment = p_environment and i.status in ('creating', 'pending', 'manual_review')
    order by i.id limit 1;
  if found then return; end if;

  insert into invoice (company_id, environment, id, requested, deposit, fee, idempotency_key, request_digest, created_at, status_at, due_at)
  values (p_company, p_environment, p_id, p_amount, p_amount, p_fee, p_key, decode(p_digest, 'hex'), p_now, p_now, p_lease_until);
  insert into pay_link (digest, company_id, environment, invoice_id) values (decode(p_link_digest, 'hex'), p_company, p_environment, p_id);
  return query select 'begun', p_id, 'creating', null::timestamptz;
end $$;

CREATE FUNCTION public.bump_access_version() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update access_version set version = version + 1;
  return null;
end $$;

CREATE TABLE public.card (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    holder_id uuid NOT NULL,
    product_id text NOT NULL,
    name text NOT NULL,
    last4 text NOT NULL,
    status text NOT NULL,
    balance bigint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    pending_status text,
    CONSTRAINT card_balance_check CHECK ((balance >= 0)),
    CONSTRAINT card_last4_check CHECK ((last4 ~ '^\d{4}$'::text)),
    CONSTRAINT card_pending_status_check CHECK ((pending_status = ANY (ARRAY['active'::text, 'frozen'::text, 'closed'::text]))),
    CONSTRAINT card_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'frozen'::text, 'blocked'::text, 'expired'::text, 'closed'::text])))
);

CREATE FUNCTION public.card_json(p_card public.card) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object(
    'id', wire_id('card', p_card.id), 'name', p_card.name, 'holderId', wire_id('hld', p_card.holder_id), 'last4', p_card.last4,
    'status', p_card.status, 'balance', wire_amount(p_card.balance), 'productId', p_card.product_id,
    'createdAt', wire_time(p_card.created_at))
    || case when p_card.pending_status is null then '{}' else jsonb_build_object('pendingStatus', p_card.pending_status) end
$$;

CREATE FUNCTION public.chain_at(p_company uuid, p_environment public.environment, p_number bigint) RETURNS bytea
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_seal seal;
begin
  select * into v_seal from seal s
  where s.company_id = p_company and s.environment = p_environment and s.number <= p_number order by s.number desc limit 1;
  return chain_over(p_company, p_environment, coalesce(v_seal.number, 0), coalesce(v_seal.hash, chain_start(p_company, p_environment)), p_number);
end $$;

CREATE TABLE public.entry (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,
    reference uuid NOT NULL,
    available_delta bigint NOT NULL,
    held_delta bigint NOT NULL,
    balance bigint NOT NULL,
    held bigint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT entry_check CHECK (((number > 0) AND (held >= 0) AND (held <= balance))),
    CONSTRAINT entry_kind_check CHECK (
CASE kind
    WHEN 'deposit'::text THEN ((available_delta > 0) AND (held_delta = 0))
    WHEN 'fee'::text THEN (((available_delta < 0) AND (held_delta = 0)) OR ((available_delta = 0) AND (held_delta < 0)))
    WHEN 'reservation'::text THEN ((held_delta > 0) AND (available_delta = (- held_delta)))
    WHEN 'capture'::text THEN ((held_delta < 0) AND (available_delta = 0))
    WHEN 'release'::text THEN ((held_delta < 0) AND (available_delta = (- held_delta)))
    WHEN 'adjustment'::text THEN ((available_delta <> 0) AND (held_delta = 0))
    ELSE false
END)
);

CREATE FUNCTION public.chain_next(p_hash bytea, p_entry public.entry) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
  select sha256(p_hash || convert_to(concat_ws('|', p_entry.number, p_entry.kind, p_entry.reference, p_entry.available_delta,
    p_entry.held_delta, p_entry.balance, p_entry.held, (extract(epoch from p_entry.created_at) * 1000)::bigint), 'UTF8'))
$$;

CREATE FUNCTION public.chain_over(p_company uuid, p_environment public.environment, p_from bigint, p_hash bytea, p_to bigint) RETURNS bytea
    LANGUAGE plpgsql STABLE
    AS $$
declare
  v_entry entry;
  v_number bigint := p_from;
begin
  for v_entry in
    select * from entry e where e.company_id = p_company and e.environment = p_environment and e.number > p_from and e.number <= p_to
    order by e.number
  loop
    if v_entry.number <> v_number + 1 then return null; end if;
    v_number := v_entry.number;
    p_hash := chain_next(p_hash, v_entry);
  end loop;
  return case when v_number = p_to then p_hash end;
end $$;

CREATE FUNCTION public.chain_start(p_company uuid, p_environment public.environment) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
  select sha256(convert_to('cardstock ledger ' || p_company || ' ' || p_environment, 'UTF8'))
$$;

CREATE FUNCTION public.check_invoice_transition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if old.status = new.status or (old.status, new.status) in (
    ('creating', 'pending'), ('creating', 'failed'), ('creating', 'manual_review'),
    ('pending', 'completed'), ('pending', 'expired'), ('pending', 'manual_review'),
    ('expired', 'manual_review'),
    ('manual_review', 'completed'), ('manual_review', 'failed'), ('manual_review', 'expired')
  ) then return new; end if;
  raise exception 'an invoice does not go from % to %', old.status, new.status using errcode = 'restrict_violation';
end $$;

CREATE TABLE public.card_change (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    card_id uuid NOT NULL,
    wanted text NOT NULL,
    status text NOT NULL,
    returned bigint,
    failure_code text,
    failure_message text,
    exchanges jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    status_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    look_up_count smallint DEFAULT 0 NOT NULL,
    CONSTRAINT card_change_check CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
    CONSTRAINT card_change_check1 CHECK ((((status = 'completed'::text) AND (wanted = 'closed'::text)) = (returned IS NOT NULL))),
    CONSTRAINT card_change_returned_check CHECK ((returned >= 0)),
    CONSTRAINT card_change_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text, 'manual_review'::text]))),
    CONSTRAINT card_change_wanted_check CHECK ((wanted = ANY (ARRAY['active'::text, 'frozen'::text, 'closed'::text])))
);

CREATE FUNCTION public.claim_card_changes(p_now timestamp with time zone, p_lease_until timestamp with time zone) RETURNS SETOF public.card_change
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  update card_change c set due_at = p_lease_until, look_up_count = c.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from card_change q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 100
  ) n
  where c.company_id = n.company_id and c.environment = n.environment and c.id = n.id
    and c.status = 'processing' and c.due_at <= p_now
  returning c.*
$$;

CREATE TABLE public.invoice (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    status text DEFAULT 'creating'::text NOT NULL,
    requested bigint NOT NULL,
    deposit bigint NOT NULL,
    fee bigint NOT NULL,
    address text,
    pay_amount bigint,
    expires_at timestamp(3) with time zone,
    received bigint,
    reasons text[] DEFAULT '{}'::text[] NOT NULL,
    failure_code text,
    failure_message text,
    idempotency_key text NOT NULL,
    request_digest bytea NOT NULL,
    first_answer jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    status_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    look_up_count smallint DEFAULT 0 NOT NULL,
    reopened boolean DEFAULT false NOT NULL,
    CONSTRAINT invoice_check CHECK (((fee >= 0) AND (fee <= deposit))),
    CONSTRAINT invoice_check1 CHECK ((num_nulls(address, pay_amount, expires_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT invoice_check2 CHECK (((status <> 'pending'::text) OR (address IS NOT NULL))),
    CONSTRAINT invoice_check3 CHECK (((pay_amount > (requested * 10000)) AND (pay_amount < ((requested + 1) * 10000)))),
    CONSTRAINT invoice_check4 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
    CONSTRAINT invoice_deposit_check CHECK ((deposit > 0)),
    CONSTRAINT invoice_reasons_check CHECK ((reasons <@ ARRAY['underpaid'::text, 'overpaid'::text, 'paid_late'::text, 'multiple_payments'::text, 'issuer_unknown'::text])),
    CONSTRAINT invoice_received_check CHECK ((received > 0)),
    CONSTRAINT invoice_requested_check CHECK (((requested > 0) AND ((requested % (100)::bigint) = 0))),
    CONSTRAINT invoice_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'completed'::text, 'expired'::text, 'failed'::text, 'manual_review'::text])))
);

CREATE FUNCTION public.claim_invoice_look_ups(p_now timestamp with time zone, p_lease_until timestamp with time zone) RETURNS SETOF public.invoice
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  update invoice i set due_at = p_lease_until, look_up_count = i.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from invoice q
    where q.status = 'creating' and q.due_at <= p_now order by q.due_at limit 100
  ) n
  where i.company_id = n.company_id and i.environment = n.environment and i.id = n.id
    and i.status = 'creating' and i.due_at <= p_now
  returning i.*
$$;

CREATE FUNCTION public.claim_lines(p_now timestamp with time zone, p_lease_until timestamp with time zone, p_holder uuid, p_failing boolean) RETURNS TABLE(company_id uuid, environment public.environment, endpoint_id uuid, failures integer)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  v_ready webhook_line[];
  v_line webhook_line;
begin
  if p_failing then
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures > 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  else
    select array_agg(r.line) into v_ready from (
      select q as line from webhook_line q
      where q.due_at is not null and q.failures = 0 and greatest(q.due_at, q.not_before) <= p_now
      order by greatest(q.due_at, q.not_before) limit 40
    ) r;
  end if;
  if v_ready is null then return; end if;
  for v_line in
    select * from (select * from unnest(v_ready) order by random() limit 10) c order by c.company_id, c.environment, c.endpoint_id
  loop
    return query
      update webhook_line l set holder = p_holder, not_before = p_lease_until
      where l.company_id = v_line.company_id and l.environment = v_line.environment and l.endpoint_id = v_line.endpoint_id
        and l.due_at is not null and (l.failures > 0) = p_failing and greatest(l.due_at, l.not_before) <= p_now
      returning l.company_id, l.environment, l.endpoint_id, l.failures;
  end loop;
end $$;

CREATE TABLE public.operation (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    amount bigint NOT NULL,
    fee bigint NOT NULL,
    product_id text NOT NULL,
    holder_id uuid,
    card_id uuid,
    name text,
    recipient text,
    receipt text,
    failure_code text,
    failure_message text,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    request_digest bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    status_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    claimed_at timestamp(3) with time zone,
    unsent_count smallint DEFAULT 0 NOT NULL,
    look_up_count smallint DEFAULT 0 NOT NULL,
    event_count integer DEFAULT 1 NOT NULL,
    CONSTRAINT operation_check CHECK (((amount > 0) AND (fee >= 0))),
    CONSTRAINT operation_check1 CHECK (
CASE type
    WHEN 'issue'::text THEN ((holder_id IS NOT NULL) AND (name IS NOT NULL) AND (recipient IS NULL))
    WHEN 'topup'::text THEN ((holder_id IS NULL) AND (name IS NULL) AND (recipient IS NULL) AND (card_id IS NOT NULL))
    WHEN 'service'::text THEN ((holder_id IS NULL) AND (name IS NULL) AND (recipient IS NOT NULL))
    ELSE false
END),
    CONSTRAINT operation_check2 CHECK (
CASE status
    WHEN 'queued'::text THEN (failure_code IS NULL)
    WHEN 'processing'::text THEN (failure_code IS NULL)
    WHEN 'completed'::text THEN ((failure_code IS NULL) AND (receipt IS NOT NULL) AND ((type = 'service'::text) = (card_id IS NULL)))
    WHEN 'failed'::text THEN (failure_code IS NOT NULL)
    WHEN 'manual_review'::text THEN (failure_code IS NULL)
    ELSE false
END)
);

CREATE FUNCTION public.claim_look_ups(p_now timestamp with time zone, p_lease_until timestamp with time zone) RETURNS SETOF public.operation
    LANGUAGE sql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  update operation o set due_at = p_lease_until, look_up_count = o.look_up_count + 1
  from (
    select q.company_id, q.environment, q.id from operation q
    where q.status = 'processing' and q.due_at <= p_now
    order by q.due_at, q.id limit 200
  ) n
  where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
    and case o.status when 'processing' then o.due_at <= p_now else false end
  returning o.*
$$;

CREATE FUNCTION public.claim_operations(p_now timestamp with time zone, p_lease_until timestamp with time zone, p_after_due timestamp with time zone, p_after_id uuid) RETURNS SETOF public.operation
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_claimed operation[];
  v_time text := event_time(p_now);
begin
  with claimed as (
    update operation o set status = 'processing', status_at = p_now, claimed_at = coalesce(o.claimed_at, p_now), due_at = p_lease_until,
      event_count = o.event_count + 1
    from (
      select q.company_id, q.environment, q.id from operation q
      where q.status = 'queued' and (q.due_at, q.id) > (p_after_due, p_after_id) and q.due_at <= p_now
      order by q.due_at, q.id limit 200
    ) n
    where o.company_id = n.company_id and o.environment = n.environment and o.id = n.id
      -- A case, because from it no partial index follows: planned while little was queued, it would read all that is queued
      -- for each of them.
      and case o.status when 'queued' then true else false end
    returning o as operation
  ), told as (
    insert into event (company_id, environment, id, type, object_id, sequence, created_at)
    select (c.operation).company_id, (c.operation).environment, event_id(v_time, (c.operation).id, (c.operation).event_count),
           'operation.processing', (c.operation).id, (c.operation).event_count, p_now
    from claimed c
  )
  select array_agg(c.operation) into v_claimed from claimed c;
  if v_claimed is null then return; end if;

  if exists (
    select from unnest(v_claimed) c
    join account a on a.company_id = c.company_id and a.environment = c.environment and a.has_endpoints
  ) then
    perform fan_out(p_now, array_agg(c.company_id), array_agg(c.environment), array_agg(event_id(v_time, c.id, c.event_count)),
                    array_agg('operation.processing'::text))
    from unnest(v_claimed) c;
  end if;
  return query select * from unnest(v_claimed);
end $$;

CREATE TABLE public.payment_slot (
    address text NOT NULL,
    pay_amount bigint NOT NULL,
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    invoice_id uuid NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    free_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT payment_slot_address_check CHECK ((address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'::text)),
    CONSTRAINT payment_slot_check CHECK ((free_at > expires_at)),
    CONSTRAINT payment_slot_pay_amount_check CHECK ((pay_amount > 0))
);

CREATE FUNCTION public.claim_payment_slot(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_invoice uuid, p_deposit bigint, p_addresses text[], p_expires_at timestamp with time zone, p_free_at timestamp with time zone) RETURNS public.payment_slot
    LANGUAGE plpgsql
    AS $$
declare
  c_tails constant integer := 9999;
  c_random_tries constant integer := 20;
  c_searches constant integer := 20;
  v_slot payment_slot;
  v_base bigint := p_deposit * 10000;
  v_address text;
  v_tail integer;
begin
  -- Asked again with the same token: the same answer.
  select * into v_slot from payment_slot s
  where s.company_id = p_company and s.environment = p_environment and s.invoice_id = p_invoice;
  if found then return v_slot; end if;

  for v_try in 1 .. c_random_tries + c_searches loop
    if v_try <= c_random_tries then
      v_address := p_addresses[1 + floor(random() * cardinality(p_addresses))::integer];
      v_tail := 1 + floor(random() * c_tails)::integer;
    else
      select a.address, t.tail into v_address, v_tail
      from unnest(p_addresses) as a (address), generate_series(1, c_tails) as t (tail)
      where not exists (
        select 1 from payment_slot s where s.address = a.address and s.pay_amount = v_base + t.tail and s.free_at > p_now)
      order by random() limit 1;
      if not found then return null; end if;
    end if;
    insert into payment_slot as s (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
    values (v_address, v_base + v_tail, p_company, p_environment, p_invoice, p_expires_at, p_free_at)
    on conflict (address, pay_amount) do update set
      company_id = excluded.company_id, environment = excluded.environment, invoice_id = excluded.invoice_id,
      expires_at = excluded.expires_at, free_at = excluded.free_at
    where s.free_at <= p_now
    returning * into v_slot;
    if found then return v_slot; end if;
  end loop;
  return null;
end $$;

CREATE FUNCTION public.complete_invoice(p_invoice public.invoice, p_now timestamp with time zone, p_deposit bigint, p_fee bigint, p_pay_url text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  v_invoice invoice;
begin
  update invoice i set status = 'completed', status_at = p_now, deposit = p_deposit, fee = p_fee, received = p_invoice.received
  where i.company_id = p_invoice.company_id and i.environment = p_invoice.environment and i.id = p_invoice.id
  returning * into v_invoice;
  update invoice_payment p set decided = true
  where p.company_id = v_invoice.company_id and p.environment = v_invoice.environment and p.invoice_id = v_invoice.id and not p.decided;
  perform credit_account(v_invoice.company_id, p_now, v_invoice.environment, v_invoice.id, p_deposit, p_fee);
  perform emit_event(v_invoice.company_id, v_invoice.environment, 'invoice.completed', v_invoice.id, invoice_json(v_invoice, p_pay_url), p_now);
end $$;

CREATE FUNCTION public.count_issues(p_company uuid, p_environment public.environment, p_month date) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
  select count(*)::integer from operation o
  where o.company_id = p_company and o.environment = p_environment and o.type = 'issue' and o.status <> 'failed'
    and o.created_at >= p_month::timestamp at time zone 'UTC'
    and o.created_at < (p_month + interval '1 month') at time zone 'UTC'
$$;

CREATE FUNCTION public.create_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_url text, p_events text[], p_description text, p_secret_id uuid, p_sealed bytea, p_key_id text, p_limit integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  if (select count(*) from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment) >= p_limit then
    return false;
  end if;
  update account a set has_endpoints = true
  where a.company_id = p_company and a.environment = p_environment and not a.has_endpoints;
  insert into webhook_endpoint (company_id, environment, id, url, events, description, created_at)
  values (p_company, p_environment, p_id, p_url, p_events, p_description, p_now);
  insert into webhook_line (company_id, environment, endpoint_id, not_before) values (p_company, p_environment, p_id, p_now);
  insert into webhook_secret (company_id, environment, endpoint_id, id, sealed, key_id, created_at)
  values (p_company, p_environment, p_id, p_secret_id, p_sealed, p_key_id, p_now);
  return true;
end $$;

CREATE FUNCTION public.credit_account(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_reference uuid, p_amount bigint, p_fee bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  v_account account;
  v_at timestamptz;
begin
  select * into strict v_account from account a where a.company_id = p_company and a.environment = p_environment;
  v_at := greatest(p_now, v_account.last_entry_at);
  insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
  values (p_company, p_environment, v_account.sequence + 1, 'deposit', p_reference, p_amount, 0,
          v_account.available + v_account.held + p_amount, v_account.held, v_at);
  if p_fee > 0 then
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    values (p_company, p_environment, v_account.sequence + 2, 'fee', p_reference, -p_fee, 0,
            v_account.available + v_account.held + p_amount - p_fee, v_account.held, v_at);
  end if;
  update account a set
    available = a.available + p_amount - p_fee,
    sequence = a.sequence + case when p_fee > 0 then 2 else 1 end,
    last_entry_at = v_at
  where a.company_id = p_company and a.environment = p_environment;
end $$;

CREATE FUNCTION public.delete_webhook_endpoint(p_company uuid, p_environment public.environment, p_id uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_id]);
  delete from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  return found;
end $$;

CREATE FUNCTION public.deposit_funds(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint, p_limit bigint) RETURNS TABLE(verdict text, original uuid)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  v_account account;
begin
  select * into strict v_account from account a
  where a.company_id = p_company and a.environment = p_environment for no key update;

  return query
    select case when d.request_digest = decode(p_digest, 'hex') then 'replay' else 'conflict' end, d.id
    from deposit d where d.company_id = p_company and d.environment = p_environment and d.idempotency_key = p_key;
  if found then return; end if;
  if v_account.available + v_account.held + p_amount > p_limit then
    return query select 'limit', null::uuid;
    return;
  end if;

  insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
  values (p_company, p_environment, p_id, p_amount, p_key, decode(p_digest, 'hex'), p_now);
  perform credit_account(p_company, p_now, p_environment, p_id, p_amount, p_fee);
  return query select 'credited', p_id;
end $$;

CREATE FUNCTION public.disable_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_reason text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform lock_lines_of(p_company, p_environment);
  update webhook_endpoint e set status = 'disabled', disabled_reason = p_reason
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled';
  if not found then return false; end if;
  update webhook_line l set due_at = null
  where l.company_id = p_company and l.environment = p_environment and l.endpoint_id = p_id;
  perform emit_event(p_company, p_environment, 'webhook.disabled', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  return true;
end $$;

CREATE FUNCTION public.emit_event(p_company uuid, p_environment public.environment, p_type text, p_object uuid, p_data jsonb, p_now timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_event uuid := write_event(p_company, p_environment, p_type, p_object, p_data, p_now);
begin
  if not exists (select from account a where a.company_id = p_company and a.environment = p_environment and a.has_endpoints) then
    return;
  end if;
  perform lock_lines_of(p_company, p_environment);
  perform fan_out(p_now, array[p_company], array[p_environment], array[v_event], array[p_type]);
end $$;

CREATE FUNCTION public.event_id(p_time text, p_object uuid, p_sequence integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$
  select (p_time || right(to_hex(4096 | (p_sequence & 4095)), 3) || substr(p_object::text, 20))::uuid
$$;

CREATE FUNCTION public.event_time(p_now timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select lpad(to_hex((extract(epoch from p_now) * 1000)::bigint), 12, '0') || '7'
$$;

CREATE FUNCTION public.expire_invoice(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_pay_url text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  v_invoice invoice;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  update invoice i set status = 'expired', status_at = p_now
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'pending' and i.expires_at <= p_now
  returning * into v_invoice;
  if not found then return false; end if;
  perform emit_event(p_company, p_environment, 'invoice.expired', p_id, invoice_json(v_invoice, p_pay_url), p_now);
  return true;
end $$;

CREATE FUNCTION public.fan_out(p_now timestamp with time zone, p_companies uuid[], p_environments public.environment[], p_events uuid[], p_types text[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_companies uuid[];
  v_environments environment[];
  v_endpoints uuid[];
begin
  with added as (
    insert into delivery (company_id, environment, event_id, endpoint_id, due_at)
    select i.company_id, i.environment, i.event_id, e.id, p_now
    from unnest(p_companies, p_environments, p_events, p_types) as i (company_id, environment, event_id, type)
    join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment
      and e.status = 'enabled' and (e.events[1] = '*' or i.type = any (e.events))
    returning company_id, environment, endpoint_id
  )
  select array_agg(a.company_id), array_agg(a.environment), array_agg(a.endpoint_id)
  into v_companies, v_environments, v_endpoints
  from (select distinct company_id, environment, endpoint_id from added) a;
  if v_endpoints is not null then perform wake_lines(p_now, v_companies, v_environments, v_endpoints); end if;
end $$;

CREATE FUNCTION public.find_operations_by_key(p_companies uuid[], p_environments public.environment[], p_keys text[]) RETURNS TABLE(item bigint, id uuid)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
begin
  return query
    select i.n, o.id
    from unnest(p_companies, p_environments, p_keys) with ordinality as i (company_id, environment, key, n)
    cross join lateral (
      select k.id, k.idempotency_key from operation k
      where k.company_id = i.company_id and k.environment = i.environment and k.idempotency_key >= i.key
      order by k.idempotency_key limit 1
    ) o
    where o.idempotency_key = i.key;
end $$;

CREATE FUNCTION public.first_due(p_company uuid, p_environment public.environment, p_endpoint uuid) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  select d.due_at from delivery d
  where d.company_id = p_company and d.environment = p_environment and d.endpoint_id = p_endpoint and d.status = 'pending'
  order by d.due_at limit 1
$$;

CREATE FUNCTION public.first_entry_at(p_company uuid, p_environment public.environment, p_newest bigint, p_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_low bigint := 1;
  v_high bigint := p_newest + 1;
  v_middle bigint;
begin
  while v_low < v_high loop
    v_middle := (v_low + v_high) / 2;
    if (select e.created_at from entry e where e.company_id = p_company and e.environment = p_environment and e.number = v_middle) < p_at
    then v_low := v_middle + 1;
    else v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

CREATE FUNCTION public.invoice_json(p_invoice public.invoice, p_pay_url text) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_strip_nulls(jsonb_build_object(
    'failure', case when p_invoice.failure_code is not null
      then jsonb_build_object('code', p_invoice.failure_code, 'message', p_invoice.failure_message) end
  )) || jsonb_build_object(
    'id', 'inv_' || replace(p_invoice.id::text, '-', ''),
    'environment', p_invoice.environment,
    'status', p_invoice.status,
    'depositAmount', round(p_invoice.deposit::numeric / 100, 2)::text,
    'fee', round(p_invoice.fee::numeric / 100, 2)::text,
    'creditAmount', round((p_invoice.deposit - p_invoice.fee)::numeric / 100, 2)::text,
    'address', p_invoice.address,
    'payAmount', round(p_invoice.pay_amount::numeric / 1000000, 6)::text,
    'asset', 'USDT',
    'network', 'TRON',
    'expiresAt', to_char(p_invoice.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'createdAt', to_char(p_invoice.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'payUrl', p_pay_url,
    'reasons', to_jsonb(p_invoice.reasons),
    'receivedAmount', round(p_invoice.received::numeric / 1000000, 6)::text
  )
$$;

CREATE FUNCTION public.lock_lines(p_companies uuid[], p_environments public.environment[], p_endpoints uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  perform 1 from webhook_line l
  where (l.company_id, l.environment, l.endpoint_id) in (
    select i.company_id, i.environment, i.endpoint_id
    from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id))
  order by l.company_id, l.environment, l.endpoint_id
  for no key update;
end $$;

CREATE FUNCTION public.lock_lines_of(p_company uuid, p_environment public.environment) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
begin
  perform 1 from webhook_line l where l.company_id = p_company and l.environment = p_environment
  order by l.company_id, l.environment, l.endpoint_id for no key update;
end $$;

CREATE FUNCTION public.new_id(p_now timestamp with time zone) RETURNS uuid
    LANGUAGE sql
    AS $$
  select encode(
    substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3)
    || set_byte(set_byte(substring(uuid_send(gen_random_uuid()) from 7), 0, 112 + (get_byte(uuid_send(gen_random_uuid()), 0) & 15)), 2,
                128 + (get_byte(uuid_send(gen_random_uuid()), 1) & 63)), 'hex')::uuid
$$;

CREATE FUNCTION public.ping_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
declare
  v_event uuid;
begin
  if not exists (select from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled') then
    return null;
  end if;
  v_event := write_event(p_company, p_environment, 'webhook.ping', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  insert into delivery (company_id, environment, event_id, endpoint_id, due_at) values (p_company, p_environment, v_event, p_id, p_now);
  perform wake_lines(p_now, array[p_company], array[p_environment], array[p_id]);
  return v_event;
end $$;

CREATE FUNCTION public.prune_events(p_company uuid, p_environment public.environment, p_before uuid) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_until uuid;
begin
  -- The newest id among the thousand oldest: everything up to it goes.
  select o.id into v_until from (
    select v.id from (
      (select v.id from event v where v.company_id = p_company and v.environment = p_environment and v.id < p_before order by v.id limit 1000)
      union all
      (select d.event_id from delivery d where d.company_id = p_company and d.environment = p_environment and d.event_id < p_before order by d.event_id limit 1000)
    ) v order by v.id limit 1000
  ) o order by o.id desc limit 1;
  if v_until is null then return false; end if;
  delete from webhook_attempt a where a.company_id = p_company and a.environment = p_environment and a.event_id <= v_until;
  delete from delivery d where d.company_id = p_company and d.environment = p_environment and d.event_id <= v_until;
  delete from event v where v.company_id = p_company and v.environment = p_environment and v.id <= v_until;
  return true;
end $$;

CREATE FUNCTION public.put_invoice_in_review(p_invoice public.invoice, p_now timestamp with time zone, p_reasons text[], p_pay_url text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  v_invoice invoice;
begin
  update invoice i set
    status = 'manual_review',
    status_at = case when i.status = 'manual_review' then i.status_at else p_now end,
    reopened = i.reopened or i.status = 'expired',
    received = p_invoice.received,
    reasons = p_reasons
  where i.company_id = p_invoice.company_id and i.environment = p_invoice.environment and i.id = p_invoice.id
  returning * into v_invoice;
  if p_invoice.status <> 'manual_review' then
    perform emit_event(v_invoice.company_id, v_invoice.environment, 'invoice.manual_review', v_invoice.id,
      invoice_json(v_invoice, p_pay_url), p_now);
  end if;
end $$;

CREATE FUNCTION public.record_attempts(p_now timestamp with time zone, p_holder uuid, p_failing_limit timestamp with time zone, p_companies uuid[], p_environments public.environment[], p_endpoints uuid[], p_events uuid[], p_ids uuid[], p_numbers smallint[], p_resends integer[], p_statuses text[], p_status_codes smallint[], p_errors text[], p_latencies integer[], p_responses text[], p_starts timestamp with time zone[], p_dues timestamp with time zone[], p_line_companies uuid[], p_line_environments public.environment[], p_line_endpoints uuid[], p_line_until timestamp with time zone[], p_line_succeeded boolean[], p_line_failures integer[]) RETURNS TABLE(company_id uuid, environment public.environment, endpoint_id uuid)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
begin
  perform lock_lines(p_line_companies, p_line_environments, p_line_endpoints);
  insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, status_code, error, latency_ms, response, started_at)
  select * from unnest(p_companies, p_environments, p_events, p_ids, p_endpoints, p_numbers, p_status_codes, p_errors, p_latencies, p_responses, p_starts)
  on conflict do nothing;
  update delivery d set status = i.status, attempt_count = i.number, due_at = coalesce(i.due_at, d.due_at)
  from unnest(p_companies, p_environments, p_events, p_endpoints, p_numbers, p_resends, p_statuses, p_dues)
    as i (company_id, environment, event_id, endpoint_id, number, resend_count, status, due_at)
  where d.company_id = i.company_id and d.environment = i.environment and d.event_id = i.event_id and d.endpoint_id = i.endpoint_id
    and d.status = 'pending' and d.attempt_count = i.number - 1 and d.resend_count = i.resend_count;
  return query
    with line as (
      update webhook_line l set
        last_success_at = case when i.succeeded then p_now else l.last_success_at end,
        failures = case when i.succeeded then i.failures else l.failures + i.failures end,
        failing_since = case when i.failures = 0 and not i.succeeded then l.failing_since
                             when i.failures = 0 then null
                             when i.succeeded then p_now
                             else coalesce(l.failing_since, p_now) end,
        due_at = case when e.status = 'enabled' then first_due(l.company_id, l.environment, l.endpoint_id) end,
        holder = case when l.holder is distinct from p_holder then l.holder end,
        not_before = case when l.holder is distinct from p_holder then l.not_before else i.until end
      from unnest(p_line_companies, p_line_environments, p_line_endpoints, p_line_until, p_line_succeeded, p_line_failures)
        as i (company_id, environment, endpoint_id, until, succeeded, failures)
      join webhook_endpoint e on e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id
      where i.until is not null and l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
      returning l.company_id, l.environment, l.endpoint_id, l.failing_since, i.failures
    )
    select line.company_id, line.environment, line.endpoint_id from line where line.failures > 0 and line.failing_since <= p_failing_limit;
end $$;

CREATE FUNCTION public.record_audit(p_company uuid, p_line jsonb) RETURNS void
    LANGUAGE sql
    AS $$
  insert into audit_log (id, company_id, actor, action, object, details, address, request_id, created_at)
  values ((p_line ->> 'id')::uuid, p_company, p_line ->> 'actor', p_line ->> 'action', p_line ->> 'object',
          p_line -> 'details', p_line ->> 'address', p_line ->> 'requestId', (p_line ->> 'createdAt')::timestamptz)
$$;

CREATE FUNCTION public.record_payment(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_key text, p_amount bigint, p_paid_at timestamp with time zone, p_review_id uuid, p_pay_url text) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  -- A person looks at them; an invoice with more than this is an attack or a mistake.
  c_payments_max constant integer := 1000;
  c_lifetime constant interval := interval '60 minutes';
  v_invoice invoice;
  v_payment invoice_payment;
  v_count integer;
  v_sum bigint;
  v_late boolean;
  v_exact boolean;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_invoice from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  if not found then return 'no_invoice'; end if;
  select * into v_payment from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.payment_key = p_key;
  if found then
    return case when (v_payment.invoice_id, v_payment.amount, v_payment.paid_at) = (p_id, p_amount, p_paid_at::timestamptz(3))
      then 'duplicate' else 'mismatch' end;
  end if;
  if v_invoice.status = 'creating' then return 'not_ready'; end if;
  select count(*) into v_count from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id;
  if v_count >= c_payments_max then return 'too_many'; end if;

  insert into invoice_payment (company_id, environment, payment_key, invoice_id, amount, paid_at, recorded_at, decided)
  values (p_company, p_environment, p_key, p_id, p_amount, p_paid_at, p_now, v_invoice.status in ('completed', 'failed'));
  if v_invoice.status in ('completed', 'failed') then
    insert into payment_review (company_id, environment, id, invoice_id, payment_key, amount, created_at, status_at)
    values (p_company, p_environment, p_review_id, p_id, p_key, p_amount, p_now, p_now);
    return 'own_review';
  end if;

  -- What waits for a decision, this payment included. An invoice whose creation stayed unknown has no exact amount: any
  -- tail will do.
  select count(*), sum(p.amount), bool_or(p.paid_at >= coalesce(v_invoice.expires_at, v_invoice.created_at + c_lifetime))
  into v_count, v_sum, v_late
  from invoice_payment p
  where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided;
  v_exact := case when v_invoice.pay_amount is null
    then v_sum > v_invoice.requested * 10000 and v_sum < (v_invoice.requested + 1) * 10000
    else v_sum = v_invoice.pay_amount end;
  v_invoice.received := v_sum;

  if v_exact and not v_late and v_count = 1 then
    -- Paid in time by the block, reported after it expired here: it passes through review, and the confirmation ends it.
    if v_invoice.status = 'expired' then perform put_invoice_in_review(v_invoice, p_now, '{}', p_pay_url); end if;
    perform complete_invoice(v_invoice, p_now, v_invoice.requested, v_invoice.fee, p_pay_url);
    return 'completed';
  end if;
  perform put_invoice_in_review(v_invoice, p_now, array_remove(array[
    case when not v_exact and v_sum < coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'underpaid' end,
    case when not v_exact and v_sum >= coalesce(v_invoice.pay_amount, v_invoice.requested * 10000 + 1) then 'overpaid' end,
    case when v_late then 'paid_late' end,
    case when v_count > 1 then 'multiple_payments' end,
    case when v_invoice.pay_amount is null then 'issuer_unknown' end
  ], null), p_pay_url);
  return 'review';
end $$;

CREATE TABLE public.transaction (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    card_id uuid NOT NULL,
    issuer_id text NOT NULL,
    type text NOT NULL,
    status text NOT NULL,
    amount bigint NOT NULL,
    currency text NOT NULL,
    card_amount bigint NOT NULL,
    applied bigint NOT NULL,
    merchant text NOT NULL,
    country text NOT NULL,
    description text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT transaction_country_check CHECK ((country ~ '^([A-Z]{2})?$'::text)),
    CONSTRAINT transaction_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
    CONSTRAINT transaction_issuer_id_check CHECK (((length(issuer_id) >= 1) AND (length(issuer_id) <= 255))),
    CONSTRAINT transaction_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'settled'::text, 'declined'::text, 'reversed'::text, 'expired'::text]))),
    CONSTRAINT transaction_type_check CHECK ((type = ANY (ARRAY['purchase'::text, 'refund'::text, 'withdrawal'::text, 'verification'::text, 'fee'::text, 'adjustment'::text])))
);

CREATE FUNCTION public.record_transaction(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_issuer_id text, p_card uuid, p_type text, p_status text, p_amount bigint, p_currency text, p_card_amount bigint, p_merchant text, p_country text, p_description text, p_occurred_at timestamp with time zone, p_authorise boolean) RETURNS TABLE(verdict text, recorded public.transaction)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_card card;
  v_old transaction;
  v_status text := p_status;
  v_moved bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return; end if;
  select * into v_old from transaction t where t.company_id = p_company and t.environment = p_environment and t.issuer_id = p_issuer_id;
  if v_old.id is not null then
    if v_old.card_id <> p_card then return; end if;
    if not ((v_old.status = 'pending' and v_status in ('settled', 'reversed', 'expired')) or (v_old.status = 'expired' and v_status = 'settled')) then
      return query select 'unchanged', v_old;
      return;
    end if;
  elsif p_authorise and v_status in ('pending', 'settled') and v_card.status <> 'active' and (p_card_amount <= 0 or v_card.status = 'closed')
     or p_authorise and v_status in ('pending', 'settled') and -p_card_amount > v_card.balance then
    v_status := 'declined';
  end if;

  -- A debit counts from its authorisation on, a credit once it is settled; a balance does not go below zero.
  v_moved := case when v_status = 'settled' or (v_status = 'pending' and p_card_amount < 0) then p_card_amount else 0 end - coalesce(v_old.applied, 0);
  v_moved := greatest(v_moved, -v_card.balance);

  if v_old.id is null then
    verdict := 'created';
    insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                             merchant, country, description, occurred_at, created_at, updated_at)
    values (p_company, p_environment, p_id, p_card, p_issuer_id, p_type, v_status, p_amount, p_currency, p_card_amount, v_moved,
            p_merchant, p_country, p_description, p_occurred_at, p_now, p_now)
    returning * into recorded;
  else
    verdict := 'updated';
    -- What was settled may differ from what was authorised; a reversal or expiry leaves the amount as it was.
    update transaction t set
      status = v_status, applied = t.applied + v_moved, updated_at = p_now,
      amount = case when v_status = 'settled' then p_amount else t.amount end,
      currency = case when v_status = 'settled' then p_currency else t.currency end,
      card_amount = case when v_status = 'settled' then p_card_amount else t.card_amount end
    where t.company_id = p_company and t.environment = p_environment and t.id = v_old.id
    returning t.* into recorded;
  end if;
  perform emit_event(p_company, p_environment, 'transaction.' || verdict, recorded.id, transaction_json(recorded), p_now);

  if v_moved > 0 and v_card.status = 'closed' then
    perform return_from_card(p_company, p_now, p_environment, recorded.id, v_moved);
  elsif v_moved <> 0 then
    update card c set balance = c.balance + v_moved where c.company_id = p_company and c.environment = p_environment and c.id = p_card
    returning c.* into v_card;
    perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  end if;
  return next;
end $$;

CREATE FUNCTION public.recover_deliveries(p_now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_line webhook_line;
  v_last uuid;
begin
  select * into v_line from webhook_line l where l.recover_after is not null order by l.endpoint_id limit 1 for no key update skip locked;
  if v_line.endpoint_id is null then return false; end if;
  with part as (
    select v.id from event_log v
    where v.company_id = v_line.company_id and v.environment = v_line.environment and v.id > v_line.recover_after and v.id <= v_line.recover_until
    order by v.id limit 1000
  ), added as (
    insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
    select v_line.company_id, v_line.environment, v.id, e.id, p_now
    from part
    join event_log v on v.company_id = v_line.company_id and v.environment = v_line.environment and v.id = part.id
    join webhook_endpoint e on e.company_id = v_line.company_id and e.environment = v_line.environment and e.id = v_line.endpoint_id
    where wants_event(e, v)
    on conflict (company_id, environment, event_id, endpoint_id) do update set status = 'pending', attempt_count = 0, due_at = p_now
      where d.status = 'failed'
  )
  select case when count(*) = 1000 then (array_agg(part.id order by part.id desc))[1] end into v_last from part;
  update webhook_line l set
    recover_after = v_last,
    recover_until = case when v_last is not null then l.recover_until end,
    due_at = case when e.status = 'enabled' then least(l.due_at, p_now) end
  from webhook_endpoint e
  where l.company_id = v_line.company_id and l.environment = v_line.environment and l.endpoint_id = v_line.endpoint_id
    and e.company_id = l.company_id and e.environment = l.environment and e.id = l.endpoint_id;
  return true;
end $$;

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

CREATE FUNCTION public.refuse_removal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'a % is never removed', tg_table_name using errcode = 'restrict_violation';
end $$;

CREATE FUNCTION public.report_card_status(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_card uuid, p_status text, p_balance bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  v_card card;
  v_returned bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_card from card c
  where c.company_id = p_company and c.environment = p_environment and c.id = p_card for no key update;
  if not found then return false; end if;
  if v_card.status in (p_status, 'closed') or (v_card.status = 'expired' and p_status <> 'closed')
    or (v_card.status = 'pending' and p_status not in ('active', 'closed')) then return true; end if;

  if p_status = 'closed' then v_returned := coalesce(p_balance, v_card.balance); end if;
  if v_returned > 0 then perform return_from_card(p_company, p_now, p_environment, p_card, v_returned); end if;
  update card c set status = p_status, balance = case when v_returned is null then c.balance else 0 end
  where c.company_id = p_company and c.environment = p_environment and c.id = p_card
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', p_card, card_json(v_card), p_now);
  return true;
end $$;

CREATE FUNCTION public.resend_event(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_event uuid, p_oldest uuid, p_endpoint uuid) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  v_event event_log;
  v_endpoints uuid[];
begin
  select * into v_event from event_log v
  where v.company_id = p_company and v.environment = p_environment and v.id = p_event and v.id >= p_oldest;
  if v_event.id is null then return null; end if;
  -- Lines before deliveries, as everywhere.
  perform lock_lines_of(p_company, p_environment);
  with added as (
    insert into delivery as d (company_id, environment, event_id, endpoint_id, due_at)
    select p_company, p_environment, p_event, e.id, p_now from webhook_endpoint e
    where e.company_id = p_company and e.environment = p_environment and e.status = 'enabled' and wants_event(e, v_event)
      and (p_endpoint is null or e.id = p_endpoint)
    on conflict (company_id, environment, event_id, endpoint_id) do update set
      status = 'pending', attempt_count = 0, resend_count = d.resend_count + 1, due_at = p_now
    returning d.endpoint_id
  )
  select array_agg(added.endpoint_id) into v_endpoints from added;
  if v_endpoints is null then return 0; end if;
  perform wake_lines(p_now, array_fill(p_company, array[cardinality(v_endpoints)]), array_fill(p_environment, array[cardinality(v_endpoints)]), v_endpoints);
  return cardinality(v_endpoints);
end $$;

CREATE FUNCTION public.resolve_card_change(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_returned bigint, p_failure_code text, p_failure_message text, p_line jsonb) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select c.status into v_status from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if v_status is distinct from 'manual_review' then return v_status; end if;
  perform settle_card_change(p_company, p_now, p_environment, p_id, p_status, p_returned, p_failure_code, p_failure_message, null, null);
  perform record_audit(p_company, p_line);
  return 'resolved';
end $$;

CREATE FUNCTION public.resolve_invoice(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_seen bigint, p_received bigint, p_deposit bigint, p_fee bigint, p_failure_code text, p_failure_message text, p_pay_url text, p_line jsonb) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_invoice invoice;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_invoice from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  if not found or v_invoice.status <> 'manual_review' then return v_invoice.status; end if;
  if v_invoice.received is distinct from p_seen then return 'changed'; end if;
  if p_status = 'completed' then
    v_invoice.received := p_received;
    perform complete_invoice(v_invoice, p_now, p_deposit, p_fee, p_pay_url);
  else
    update invoice i set status = p_status, status_at = p_now, failure_code = p_failure_code, failure_message = p_failure_message
    where i.company_id = p_company and i.environment = p_environment and i.id = p_id
    returning * into v_invoice;
    update invoice_payment p set decided = true
    where p.company_id = p_company and p.environment = p_environment and p.invoice_id = p_id and not p.decided;
    perform emit_event(p_company, p_environment, 'invoice.' || p_status, p_id, invoice_json(v_invoice, p_pay_url), p_now);
  end if;
  perform record_audit(p_company, p_line);
  return 'resolved';
end $$;

CREATE FUNCTION public.resolve_operation(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_receipt text, p_card uuid, p_last4 text, p_failure_code text, p_failure_message text, p_line jsonb) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select o.status into v_status from operation o
  where o.company_id = p_company and o.environment = p_environment and o.id = p_id;
  if v_status is distinct from 'manual_review' then return v_status; end if;
  perform settle_operations(p_company, p_now, array[1], array[1], array[p_company], array[p_environment], array[p_id], array[p_status],
    array[p_receipt], array[p_card], array[p_last4], array[p_failure_code], array[p_failure_message], array[null::timestamptz]);
  perform record_audit(p_company, p_line);
  return 'resolved';
end $$;

CREATE FUNCTION public.resolve_payment_review(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_deposit bigint, p_fee bigint, p_line jsonb) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  v_status text;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select r.status into v_status from payment_review r
  where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  if v_status is distinct from 'manual_review' then return v_status; end if;
  update payment_review r set status = p_status, status_at = p_now, deposit = p_deposit, fee = p_fee
  where r.company_id = p_company and r.environment = p_environment and r.id = p_id;
  if p_status = 'completed' then perform credit_account(p_company, p_now, p_environment, p_id, p_deposit, p_fee); end if;
  perform record_audit(p_company, p_line);
  return 'resolved';
end $$;

CREATE FUNCTION public.return_from_card(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_reference uuid, p_amount bigint) RETURNS void
    LANGUAGE sql
    AS $$
  with moved as (
    update account a set
      available = a.available + p_amount,
      sequence = a.sequence + 1,
      last_entry_at = greatest(p_now, a.last_entry_at)
    where a.company_id = p_company and a.environment = p_environment
    returning a.sequence, a.available, a.held, a.last_entry_at
  )
  insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
  select p_company, p_environment, m.sequence, 'adjustment', p_reference, p_amount, 0, m.available + m.held, m.held, m.last_entry_at
  from moved m
$$;

CREATE FUNCTION public.rotate_webhook_secret(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_endpoint uuid, p_id uuid, p_sealed bytea, p_key_id text, p_old_until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_endpoint]);
  if not exists (select from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_endpoint) then
    return false;
  end if;
  update webhook_secret s set expires_at = least(s.expires_at, p_old_until)
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint;
  delete from webhook_secret s
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint
    and (s.expires_at <= p_now or s.id not in (
      select k.id from webhook_secret k
      where k.company_id = p_company and k.environment = p_environment and k.endpoint_id = p_endpoint and k.expires_at > p_now
      order by k.id desc limit 3));
  insert into webhook_secret (company_id, environment, endpoint_id, id, sealed, key_id, created_at)
  values (p_company, p_environment, p_endpoint, p_id, p_sealed, p_key_id, p_now);
  return true;
end $$;

CREATE FUNCTION public.seal_entries(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_limit bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  v_from bigint;
  v_to bigint;
  v_hash bytea;
begin
  select s.number, s.hash into v_from, v_hash from seal s
  where s.company_id = p_company and s.environment = p_environment order by s.number desc limit 1;
  v_from := coalesce(v_from, 0);
  v_hash := coalesce(v_hash, chain_start(p_company, p_environment));
  select least(a.sequence, v_from + p_limit) into v_to from account a where a.company_id = p_company and a.environment = p_environment;
  if v_to is null or v_to <= v_from then return 0; end if;
  v_hash := chain_over(p_company, p_environment, v_from, v_hash, v_to);
  -- An entry is missing: the audit names it, and the other accounts must be sealed all the same.
  if v_hash is null then return 0; end if;
  insert into seal (company_id, environment, number, hash, sealed_at)
  values (p_company, p_environment, v_to, v_hash, p_now)
  on conflict (company_id, environment, number) do nothing;
  return v_to - v_from;
end $$;

CREATE FUNCTION public.settle_card_change(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_returned bigint, p_failure_code text, p_failure_message text, p_due timestamp with time zone, p_exchange jsonb) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  v_change card_change;
  v_card card;
  v_returned bigint;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  select * into v_change from card_change c where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if not found or v_change.status in ('completed', 'failed') then return false; end if;
  if v_change.status = 'manual_review' and p_status not in ('completed', 'failed') then return false; end if;
  select * into strict v_card from card c
  where c.company_id = p_company and c.environment = p_environment and c.id = v_change.card_id for no key update;
  if p_status = 'completed' and v_change.wanted = 'closed' then v_returned := coalesce(p_returned, v_card.balance); end if;

  update card_change c set
    status = p_status, status_at = case when c.status = p_status then c.status_at else p_now end, due_at = coalesce(p_due, c.due_at),
    returned = v_returned, failure_code = p_failure_code, failure_message = p_failure_message,
    exchanges = case when p_exchange is null then c.exchanges else c.exchanges || p_exchange end
  where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  if p_status not in ('completed', 'failed') then return true; end if;

  if v_returned > 0 then perform return_from_card(p_company, p_now, p_environment, v_card.id, v_returned); end if;
  update card c set
    pending_status = null,
    status = case when p_status = 'completed' then v_change.wanted else c.status end,
    balance = case when v_returned is null then c.balance else 0 end
  where c.company_id = p_company and c.environment = p_environment and c.id = v_card.id
  returning c.* into v_card;
  perform emit_event(p_company, p_environment, 'card.updated', v_card.id, card_json(v_card), p_now);
  return true;
end $$;

CREATE FUNCTION public.settle_invoice(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_status text, p_address text, p_pay_amount bigint, p_expires_at timestamp with time zone, p_free_at timestamp with time zone, p_failure_code text, p_failure_message text, p_due timestamp with time zone, p_pay_url text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  v_invoice invoice;
  v_status text := p_status;
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  perform 1 from invoice i
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id and i.status = 'creating';
  if not found then return false; end if;

  if v_status = 'pending' then
    insert into payment_slot as s (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
    values (p_address, p_pay_amount, p_company, p_environment, p_id, p_expires_at, p_free_at)
    on conflict (address, pay_amount) do update set
      company_id = excluded.company_id, environment = excluded.environment, invoice_id = excluded.invoice_id,
      expires_at = excluded.expires_at, free_at = excluded.free_at
    where s.free_at <= p_now or (s.company_id, s.environment, s.invoice_id) = (p_company, p_environment, p_id);
    if not found then v_status := 'manual_review'; end if;
  end if;

  update invoice i set
    status = v_status,
    status_at = case when v_status = 'creating' then i.status_at else p_now end,
    address = case when v_status = 'pending' then p_address end,
    pay_amount = case when v_status = 'pending' then p_pay_amount end,
    expires_at = case when v_status = 'pending' then p_expires_at end,
    reasons = case when v_status = 'manual_review' then array['issuer_unknown'] else i.reasons end,
    failure_code = p_failure_code,
    failure_message = p_failure_message,
    due_at = coalesce(p_due, i.due_at)
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id
  returning * into v_invoice;
  if v_status <> 'creating' then
    perform emit_event(p_company, p_environment, 'invoice.' || v_status, p_id, invoice_json(v_invoice, p_pay_url), p_now);
  end if;
  return true;
end $$;

CREATE FUNCTION public.settle_operations(p_company uuid, p_now timestamp with time zone, p_heads integer[], p_accounts integer[], p_companies uuid[], p_environments public.environment[], p_ids uuid[], p_statuses text[], p_receipts text[], p_cards uuid[], p_last4s text[], p_failure_codes text[], p_failure_messages text[], p_dues timestamp with time zone[]) RETURNS TABLE(item integer, status text)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
declare
  v_moved integer[];
  v_has_endpoints boolean;
  -- Per account, as it was locked.
  v_balances bigint[];
  v_held bigint[];
  v_sequences bigint[];
  v_times timestamptz[];
  v_companies uuid[];
  v_environments environment[];
  v_events uuid[];
  v_types text[];
  v_time text := event_time(p_now);
begin
  select array_agg(l.available + l.held order by l.n), array_agg(l.held order by l.n), array_agg(l.sequence order by l.n),
         array_agg(greatest(p_now, l.last_entry_at) order by l.n), bool_or(l.has_endpoints)
  into v_balances, v_held, v_sequences, v_times, v_has_endpoints
  from (
    select h.n, a.available, a.held, a.sequence, a.last_entry_at, a.has_endpoints
    from unnest(p_heads) with ordinality as h (item, n)
    join account a on a.company_id = p_companies[h.item] and a.environment = p_environments[h.item]
    order by a.company_id, a.environment
    for no key update of a
  ) l;
  if cardinality(v_balances) is distinct from cardinality(p_heads) then raise 'a company of the batch has no account'; end if;

  with moved as (
    -- An operation that stands twice in a batch is moved by the first of them: an update takes a row once.
    update operation o set
      status = i.status,
      status_at = case when i.status = o.status then o.status_at else p_now end,
      due_at = coalesce(i.due_at, o.due_at),
      receipt = i.receipt,
      card_id = coalesce(i.card_id, o.card_id),
      failure_code = i.failure_code,
      failure_message = i.failure_message,
      unsent_count = o.unsent_count + (i.status = 'queued')::integer,
      -- Looking up again is the only settlement that leaves the status as it is.
      event_count = o.event_count + (i.status <> 'processing')::integer
    from unnest(p_accounts, p_companies, p_environments, p_ids, p_statuses, p_receipts, p_cards, p_last4s, p_failure_codes,
                p_failure_messages, p_dues)
      with ordinality as i (account, company_id, environment, id, status, receipt, card_id, last4, failure_code,
                            failure_message, due_at, n)
    where o.company_id = i.company_id and o.environment = i.environment and o.id = i.id
      -- A case, because from it no partial index follows: the planner would read all that is processing, for each batch.
      and case o.status when 'processing' then true when 'manual_review' then i.status in ('completed', 'failed') else false end
    returning i.account, o.company_id, o.environment, o.id, o.type, o.status, o.amount, o.fee, o.holder_id, o.product_id, o.card_id,
              o.name, o.event_count, i.last4, i.n
  ), line as (
    select m.account, m.id, m.n, 1 as step, 'capture' as kind, 0::bigint as available_delta, -m.amount as held_delta
    from moved m where m.status = 'completed'
    union all
    select m.account, m.id, m.n, 2, 'fee', 0, -m.fee from moved m where m.status = 'completed' and m.fee > 0
    union all
    select m.account, m.id, m.n, 1, 'release', m.amount + m.fee, -m.amount - m.fee from moved m where m.status = 'failed'
    union all
    -- A card is closed only while no top-up of it is open, so that this is the issuer's own closing: the money comes back.
    select m.account, m.id, m.n, 3, 'adjustment', m.amount, 0 from moved m
    join card c on c.company_id = m.company_id and c.environment = m.environment and c.id = m.card_id and c.status = 'closed'
    where m.status = 'completed' and m.type = 'topup'
  ), written as (
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    select p_companies[p_heads[l.account]], p_environments[p_heads[l.account]], v_sequences[l.account] + row_number() over w,
           l.kind, l.id, l.available_delta, l.held_delta,
           v_balances[l.account] + sum(l.available_delta + l.held_delta) over w, v_held[l.account] + sum(l.held_delta) over w,
           v_times[l.account]
    from line l
    window w as (partition by l.account order by l.n, l.step)
  ), moved_money as (
    update account a set
      available = a.available + t.available_delta,
      held = a.held + t.held_delta,
      sequence = a.sequence + t.entries,
      last_entry_at = v_times[t.account]
    from (
      select account, sum(available_delta)::bigint as available_delta, sum(held_delta)::bigint as held_delta, count(*) as entries
      from line group by account
    ) t
    where a.company_id = p_companies[p_heads[t.account]] and a.environment = p_environments[p_heads[t.account]]
  ), made as (
    insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
    select company_id, environment, card_id, holder_id, product_id, name, last4, 'active', amount, p_now
    from moved where type = 'issue' and status = 'completed'
    returning company_id, environment, id, card_json(card) as data
  ), loaded as (
    -- Grouped, because an update takes one row per card even when two top-ups of it are in the batch.
    update card c set balance = c.balance + t.amount
    from (
      select company_id, environment, card_id, sum(amount)::bigint as amount from moved
      where type = 'topup' and status = 'completed' group by company_id, environment, card_id
    ) t
    where c.company_id = t.company_id and c.environment = t.environment and c.id = t.card_id and c.status <> 'closed'
    returning c.company_id, c.environment, c.id, card_json(c) as data
  ), counted as (
    -- See write_event: a card's first event is that it was made, and is not counted.
    insert into event_counter as k (company_id, environment, object_id, sequence) select company_id, environment, id, 2 from loaded
    on conflict (company_id, environment, object_id) do update set sequence = k.sequence + 1
    returning company_id, environment, object_id as id, sequence
  ), happened as (
    select company_id, environment, event_id(v_time, id, event_count) as event_id, 'operation.' || status as type, id, event_count as sequence,
           null::jsonb as data
    from moved where status <> 'processing'
    union all
    select company_id, environment, event_id(v_time, id, 1), 'card.created', id, 1, data from made
    union all
    select l.company_id, l.environment, event_id(v_time, l.id, k.sequence), 'card.updated', l.id, k.sequence, l.data
    from loaded l join counted k on k.company_id = l.company_id and k.environment = l.environment and k.id = l.id
  ), told as (
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select company_id, environment, event_id, type, id, sequence, data, p_now from happened
  )
  select m.moved, h.companies, h.environments, h.events, h.types
  into v_moved, v_companies, v_environments, v_events, v_types
  from (select array_agg(n) as moved from moved) m, (
    select array_agg(company_id) as companies, array_agg(environment) as environments, array_agg(event_id) as events, array_agg(type) as types
    from happened where v_has_endpoints
  ) h;
  if v_has_endpoints then perform fan_out(p_now, v_companies, v_environments, v_events, v_types); end if;

  -- A failed issue does not count against the month it was accepted in. A statement of its own: a row can be updated
  -- only once per statement, and few batches have one.
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

CREATE FUNCTION public.take_deliveries(p_now timestamp with time zone, p_holder uuid, p_companies uuid[], p_environments public.environment[], p_endpoints uuid[], p_sizes integer[]) RETURNS TABLE(item integer, url text, secrets jsonb, attempt_count smallint, resend_count integer, company_id uuid, environment public.environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamp with time zone, operation_type text, amount bigint, fee bigint, card_id uuid, receipt text, failure_code text, failure_message text, operation_created_at timestamp with time zone)
    LANGUAGE sql STABLE
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
  select i.n::integer, case when d.place = 1 then e.url end, case when d.place = 1 then e.secrets end, d.attempt_count, d.resend_count,
    i.company_id, i.environment, d.event_id, v.type, v.object_id, v.sequence, v.data, v.created_at::timestamptz,
    o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at::timestamptz
  from unnest(p_companies, p_environments, p_endpoints, p_sizes) with ordinality as i (company_id, environment, endpoint_id, size, n)
  cross join lateral (
    select l.failures from webhook_line l
    where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id and l.holder = p_holder offset 0
  ) l
  cross join lateral (
    select e.url,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'sealed', encode(s.sealed, 'base64'), 'keyId', s.key_id, 'expiresAt', s.expires_at) order by s.id desc)
       from webhook_secret s where s.company_id = i.company_id and s.environment = i.environment and s.endpoint_id = i.endpoint_id) as secrets
    from webhook_endpoint e
    where e.company_id = i.company_id and e.environment = i.environment and e.id = i.endpoint_id and e.status = 'enabled' offset 0
  ) e
  cross join lateral (
    select q.event_id, q.attempt_count, q.resend_count, row_number() over (order by q.due_at, q.event_id) as place from delivery q
    where q.company_id = i.company_id and q.environment = i.environment and q.endpoint_id = i.endpoint_id
      and q.status = 'pending' and q.due_at <= p_now
    order by q.due_at, q.event_id limit 64
  ) d
  cross join lateral (
    select v.type, v.object_id, v.sequence, v.data, v.created_at from event_log v
    where v.company_id = i.company_id and v.environment = i.environment and v.id = d.event_id offset 0
  ) v
  left join lateral (
    select o.type, o.amount, o.fee, o.card_id, o.receipt, o.failure_code, o.failure_message, o.created_at from operation o
    where v.data is null and o.company_id = i.company_id and o.environment = i.environment and o.id = v.object_id offset 0
  ) o on true
  where d.place <= case when l.failures >= 5 then 1 else i.size end
$$;

CREATE FUNCTION public.tell_expiring_key(p_now timestamp with time zone, p_until timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  v_key api_key;
begin
  select * into v_key from api_key k
  where k.expires_at is not null and k.expiry_told_at is null and k.revoked_at is null and k.expires_at > p_now and k.expires_at <= p_until
  order by k.expires_at limit 1 for no key update skip locked;
  if v_key.id is null then return false; end if;
  update api_key k set expiry_told_at = p_now where k.company_id = v_key.company_id and k.id = v_key.id;
  perform emit_event(v_key.company_id, v_key.environment, 'api_key.expiring', v_key.id, api_key_json(v_key), p_now);
  return true;
end $$;

CREATE FUNCTION public.transaction_json(p_transaction public.transaction) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object(
    'id', wire_id('txn', p_transaction.id), 'cardId', wire_id('card', p_transaction.card_id), 'reference', p_transaction.issuer_id,
    'type', p_transaction.type, 'status', p_transaction.status, 'amount', wire_amount(p_transaction.amount),
    'currency', p_transaction.currency, 'merchant', p_transaction.merchant, 'country', p_transaction.country,
    'description', p_transaction.description, 'occurredAt', wire_time(p_transaction.occurred_at))
$$;

CREATE FUNCTION public.update_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment public.environment, p_id uuid, p_url text, p_events text[], p_description text, p_status text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  v_before text;
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_id]);
  select e.status into v_before from webhook_endpoint e
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if v_before is null then return false; end if;
  update webhook_endpoint e set
    url = coalesce(p_url, e.url),
    events = coalesce(p_events, e.events),
    description = nullif(coalesce(p_description, e.description), ''),
    status = coalesce(p_status, e.status),
    disabled_reason = case when coalesce(p_status, e.status) = 'enabled' then null else coalesce(e.disabled_reason, 'request') end
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if p_status is distinct from v_before and p_status is not null then
    update webhook_line l set
      failures = case p_status when 'enabled' then 0 else l.failures end,
      failing_since = case p_status when 'enabled' then null else l.failing_since end,
      not_before = case when l.holder is null then p_now else l.not_before end,
      due_at = case p_status when 'enabled' then first_due(p_company, p_environment, p_id) end
    where l.company_id = p_company and l.environment = p_environment and l.endpoint_id = p_id;
  end if;
  return true;
end $$;

CREATE FUNCTION public.wake_lines(p_now timestamp with time zone, p_companies uuid[], p_environments public.environment[], p_endpoints uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
  perform lock_lines(p_companies, p_environments, p_endpoints);
  update webhook_line l set due_at = p_now
  from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id)
  where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
    and (l.due_at is null or l.due_at > p_now);
end $$;

CREATE TABLE public.event (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL,
    object_id uuid NOT NULL,
    sequence integer NOT NULL,
    data jsonb,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT event_check CHECK (
CASE
    WHEN starts_with(type, 'operation.'::text) THEN ((data IS NULL) AND (sequence > 1))
    ELSE ((data IS NOT NULL) AND (sequence > 0))
END)
);

CREATE VIEW public.event_log AS
 SELECT event.company_id,
    event.environment,
    event.id,
    event.type,
    event.object_id,
    event.sequence,
    event.data,
    event.created_at
   FROM public.event
UNION ALL
 SELECT operation.company_id,
    operation.environment,
    operation.id,
    'operation.queued'::text AS type,
    operation.id AS object_id,
    1 AS sequence,
    NULL::jsonb AS data,
    operation.created_at
   FROM public.operation;

CREATE TABLE public.webhook_endpoint (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    description text,
    status text DEFAULT 'enabled'::text NOT NULL,
    disabled_reason text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT webhook_endpoint_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
    CONSTRAINT webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['request'::text, 'gone'::text, 'failures'::text]))),
    CONSTRAINT webhook_endpoint_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

CREATE FUNCTION public.wants_event(p_endpoint public.webhook_endpoint, p_event public.event_log) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when p_event.type = 'webhook.ping' then p_event.object_id = p_endpoint.id
              else p_endpoint.events[1] = '*' or p_event.type = any (p_endpoint.events) end
$$;

CREATE FUNCTION public.webhook_endpoint_json(p_company uuid, p_environment public.environment, p_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object(
    'id', 'we_' || replace(e.id::text, '-', ''),
    'url', e.url,
    'events', e.events,
    'description', e.description,
    'status', e.status,
    'disabledReason', e.disabled_reason,
    'health', jsonb_build_object(
      'lastSuccessAt', to_char(l.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'failingSince', to_char(l.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'failures', l.failures),
    'environment', e.environment,
    'createdAt', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from webhook_endpoint e
  join webhook_line l on l.company_id = e.company_id and l.environment = e.environment and l.endpoint_id = e.id
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id
$$;

CREATE FUNCTION public.wire_amount(p_cents bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select (p_cents * 0.01)::text
$$;

CREATE FUNCTION public.wire_id(p_prefix text, p_id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select p_prefix || '_' || encode(uuid_send(p_id), 'hex') $$;

CREATE FUNCTION public.wire_time(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

CREATE FUNCTION public.write_event(p_company uuid, p_environment public.environment, p_type text, p_object uuid, p_data jsonb, p_now timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
declare
  v_sequence integer;
  v_time text := event_time(p_now);
begin
  insert into event_counter as c (company_id, environment, object_id, sequence)
  values (p_company, p_environment, p_object, case p_type when 'card.updated' then 2 else 1 end)
  on conflict (company_id, environment, object_id) do update set sequence = c.sequence + 1
  returning c.sequence into v_sequence;
  insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
  values (p_company, p_environment, event_id(v_time, p_object, v_sequence), p_type, p_object, v_sequence, p_data, p_now);
  return event_id(v_time, p_object, v_sequence);
end $$;

CREATE TABLE public.access_version (
    only_row boolean DEFAULT true NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT access_version_only_row_check CHECK (only_row)
);

CREATE TABLE public.account (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    available bigint DEFAULT 0 NOT NULL,
    held bigint DEFAULT 0 NOT NULL,
    sequence bigint DEFAULT 0 NOT NULL,
    last_entry_at timestamp(3) with time zone NOT NULL,
    issued_month date DEFAULT '1970-01-01'::date NOT NULL,
    issued_count integer DEFAULT 0 NOT NULL,
    has_endpoints boolean DEFAULT false NOT NULL,
    CONSTRAINT account_available_check CHECK ((available >= 0)),
    CONSTRAINT account_held_check CHECK ((held >= 0)),
    CONSTRAINT account_issued_count_check CHECK ((issued_count >= 0))
)
WITH (fillfactor='50');

CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    company_id uuid,
    actor text NOT NULL,
    action text NOT NULL,
    object text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    address text,
    request_id text,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.company (
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    verification text DEFAULT 'pending'::text NOT NULL,
    live_services boolean DEFAULT false NOT NULL,
    direct_invoices boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT company_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
    CONSTRAINT company_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
    CONSTRAINT company_verification_check CHECK ((verification = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);

CREATE TABLE public.delivery (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    attempt_count smallint DEFAULT 0 NOT NULL,
    resend_count integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);

CREATE TABLE public.deposit (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    amount bigint NOT NULL,
    idempotency_key text NOT NULL,
    request_digest bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT deposit_amount_check CHECK ((amount > 0))
);

CREATE TABLE public.event_counter (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    object_id uuid NOT NULL,
    sequence integer NOT NULL
);

CREATE TABLE public.exchange (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    operation_id uuid NOT NULL,
    id uuid NOT NULL,
    purpose text NOT NULL,
    sent jsonb NOT NULL,
    received jsonb,
    outcome text NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    CONSTRAINT exchange_outcome_check CHECK ((outcome = ANY (ARRAY['confirmed'::text, 'declined'::text, 'not_sent'::text, 'unknown'::text]))),
    CONSTRAINT exchange_purpose_check CHECK ((purpose = ANY (ARRAY['request'::text, 'look_up'::text])))
);

CREATE TABLE public.holder (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    external_id text,
    idempotency_key text,
    request_digest bytea,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT holder_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
    CONSTRAINT holder_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'blocked'::text, 'inactive'::text])))
);

CREATE TABLE public.installation (
    name text NOT NULL,
    value bytea NOT NULL
);

CREATE TABLE public.invoice_payment (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    payment_key text NOT NULL,
    invoice_id uuid NOT NULL,
    amount bigint NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    decided boolean NOT NULL,
    CONSTRAINT invoice_payment_amount_check CHECK ((amount > 0)),
    CONSTRAINT invoice_payment_payment_key_check CHECK (((length(payment_key) >= 1) AND (length(payment_key) <= 200)))
);

CREATE TABLE public.issuer_event (
    id text NOT NULL,
    type text NOT NULL,
    digest bytea NOT NULL,
    received_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT issuer_event_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT issuer_event_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200)))
);

CREATE TABLE public.operator_token (
    id uuid NOT NULL,
    digest bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    revoked_at timestamp(3) with time zone,
    CONSTRAINT operator_token_digest_check CHECK ((length(digest) = 32))
);

CREATE TABLE public.pay_link (
    digest bytea NOT NULL,
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    invoice_id uuid NOT NULL,
    CONSTRAINT pay_link_digest_check CHECK ((length(digest) = 32))
);

CREATE TABLE public.payment_review (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    id uuid NOT NULL,
    invoice_id uuid NOT NULL,
    payment_key text NOT NULL,
    status text DEFAULT 'manual_review'::text NOT NULL,
    amount bigint NOT NULL,
    deposit bigint,
    fee bigint,
    created_at timestamp(3) with time zone NOT NULL,
    status_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT payment_review_amount_check CHECK ((amount > 0)),
    CONSTRAINT payment_review_check CHECK (((fee >= 0) AND (fee <= deposit))),
    CONSTRAINT payment_review_check1 CHECK (((status = 'completed'::text) = ((deposit IS NOT NULL) AND (fee IS NOT NULL)))),
    CONSTRAINT payment_review_deposit_check CHECK ((deposit > 0)),
    CONSTRAINT payment_review_status_check CHECK ((status = ANY (ARRAY['manual_review'::text, 'completed'::text, 'failed'::text])))
);

CREATE TABLE public.price (
    product_id text NOT NULL,
    operation_type text NOT NULL,
    flat_fee bigint DEFAULT 0 NOT NULL,
    rate_ppm bigint DEFAULT 0 NOT NULL,
    minimum_fee bigint DEFAULT 0 NOT NULL,
    minimum_amount bigint,
    maximum_amount bigint,
    fixed_price bigint,
    CONSTRAINT price_check CHECK ((maximum_amount >= minimum_amount)),
    CONSTRAINT price_fixed_price_check CHECK ((fixed_price > 0)),
    CONSTRAINT price_flat_fee_check CHECK ((flat_fee >= 0)),
    CONSTRAINT price_minimum_amount_check CHECK ((minimum_amount > 0)),
    CONSTRAINT price_minimum_fee_check CHECK ((minimum_fee >= 0)),
    CONSTRAINT price_operation_type_check CHECK ((operation_type = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text]))),
    CONSTRAINT price_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000)))
);

CREATE TABLE public.product (
    id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    currency text DEFAULT 'USD'::text NOT NULL,
    "position" integer NOT NULL,
    CONSTRAINT product_currency_check CHECK ((currency = 'USD'::text)),
    CONSTRAINT product_id_check CHECK ((id ~ '^prod_[a-z0-9_]{1,60}$'::text)),
    CONSTRAINT product_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'service'::text])))
);

CREATE TABLE public.sandbox_card_effect (
    company_id uuid NOT NULL,
    token uuid NOT NULL,
    status text NOT NULL,
    receipt text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.sandbox_effect (
    company_id uuid NOT NULL,
    token uuid NOT NULL,
    kind text NOT NULL,
    amount bigint NOT NULL,
    receipt text NOT NULL,
    last4 text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sandbox_effect_kind_check CHECK ((kind = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text])))
);

CREATE TABLE public.schema_file (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.seal (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    number bigint NOT NULL,
    hash bytea NOT NULL,
    sealed_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT seal_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT seal_number_check CHECK ((number > 0))
);

CREATE TABLE public.webhook_attempt (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    event_id uuid NOT NULL,
    id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    number smallint NOT NULL,
    status_code smallint,
    error text,
    latency_ms integer NOT NULL,
    response text,
    started_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE public.webhook_line (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    endpoint_id uuid NOT NULL,
    due_at timestamp(3) with time zone,
    not_before timestamp(3) with time zone NOT NULL,
    holder uuid,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp(3) with time zone,
    last_success_at timestamp(3) with time zone,
    recover_after uuid,
    recover_until uuid
)
WITH (fillfactor='50');

CREATE TABLE public.webhook_secret (
    company_id uuid NOT NULL,
    environment public.environment NOT NULL,
    endpoint_id uuid NOT NULL,
    id uuid NOT NULL,
    sealed bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone
);

CREATE TABLE reference_issuer.arrival (
    number bigint NOT NULL,
    token uuid NOT NULL,
    kind text NOT NULL,
    mode text NOT NULL,
    arrived_at timestamp(3) with time zone NOT NULL
);

ALTER TABLE reference_issuer.arrival ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME reference_issuer.arrival_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE reference_issuer.event (
    id text NOT NULL,
    body text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT event_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'refused'::text, 'given_up'::text])))
);

CREATE TABLE reference_issuer.payment (
    id text NOT NULL,
    token uuid NOT NULL,
    amount bigint NOT NULL,
    paid_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT payment_amount_check CHECK ((amount > 0))
);

CREATE TABLE reference_issuer.request (
    token uuid NOT NULL,
    company_id uuid NOT NULL,
    kind text NOT NULL,
    content jsonb NOT NULL,
    answer jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL
);

-- Data for Name: access_version; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.access_version VALUES (true, 5);

-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.account VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'live', 0, 0, 0, '2026-03-10 12:00:00+00', '1970-01-01', 0, false);
INSERT INTO public.account VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 8698, 0, 4, '2026-03-10 12:00:00+00', '2026-03-01', 1, false);
INSERT INTO public.account VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 97180, 0, 7, '2026-03-10 13:01:40+00', '2026-03-01', 1, false);
INSERT INTO public.account VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 505890, 5669, 28, '2026-03-10 13:02:42+00', '2026-03-01', 2, true);

-- Data for Name: api_key; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.api_key VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8004-782fe435daab', 'sandbox', 'test', '\x7050789f8e74050bee765bb2b508b9ea77659983fee9839135d59119011e6e38', 'cstk_sandbox_CZHo', '4qlq', '{funding:write,cards:write,services:write,cards:read,holders:read,operations:read,balance:read,holders:write,webhooks:read,webhooks:write}', '{}', '2026-03-10 12:00:00+00', NULL, NULL, NULL, NULL);
INSERT INTO public.api_key VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-800b-ec943a29fcb6', 'sandbox', 'test', '\xf7b04067005594fdf89dc8fc9952a8d6dea0695388d39949a1fc8a50dd172279', 'cstk_sandbox_rsc8', 'mQk3', '{funding:write,cards:write,services:write,cards:read,holders:read,operations:read,balance:read,holders:write,webhooks:read,webhooks:write}', '{10.0.0.0/8}', '2026-03-10 12:00:00+00', '2026-03-12 00:00:00+00', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.api_key VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8007-75efee637a09', 'live', 'test', '\x73a172ae3f5b4568b08aa35f6412a16882acb06a3bb39c7c0b319fd75a001a84', 'cstk_live_BWob', 'GagQ', '{funding:write,cards:write,services:write,cards:read,holders:read,operations:read,balance:read,holders:write,webhooks:read,webhooks:write}', '{}', '2026-03-10 12:00:00+00', NULL, NULL, '2026-03-10 13:01:40+00', NULL);
INSERT INTO public.api_key VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8009-bd51005d866c', 'sandbox', 'test', '\x3060f152dfc58f825978519619fe96c757c85ef0926b6013efdf61998e4e2833', 'cstk_sandbox_5ysQ', 'xBfR', '{funding:write,cards:write,services:write,cards:read,holders:read,operations:read,balance:read,holders:write,webhooks:read,webhooks:write}', '{}', '2026-03-10 12:00:00+00', NULL, NULL, '2026-03-10 13:01:40+00', NULL);
INSERT INTO public.api_key VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', '019cd79e-4600-7000-8010-2f942c043e0f', 'sandbox', 'test', '\x63cc62ef707280be668444660c3975eb68d3a1d6ba103fd0d861578cf6e8e8da', 'cstk_sandbox_LFZk', 'CEfT', '{funding:write,cards:write,services:write,cards:read,holders:read,operations:read,balance:read,holders:write,webhooks:read,webhooks:write}', '{}', '2026-03-10 12:00:00+00', NULL, NULL, '2026-03-10 12:00:00+00', NULL);

-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8002-3d873bc0e4e5', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'company.created', 'co_019cd79e4600700080014283adf3bd7a', '{"kind": "corporate", "name": "Test company"}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8003-f32296e580b0', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'company.verification.approve', 'co_019cd79e4600700080014283adf3bd7a', '{"decision": "approve"}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8005-987cce6f723e', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'key.created', 'key_019cd79e460070008004782fe435daab', '{"name": "test", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "expiresAt": null, "environment": "sandbox", "allowedCidrs": []}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8006-cc2bfb8ed1aa', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'company.capabilities', 'co_019cd79e4600700080014283adf3bd7a', '{"liveServices": true, "directInvoices": true}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8008-1318e2050440', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'key.created', 'key_019cd79e46007000800775efee637a09', '{"name": "test", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "expiresAt": null, "environment": "live", "allowedCidrs": []}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-800a-dcfc7f6a41c0', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'key.created', 'key_019cd79e460070008009bd51005d866c', '{"name": "test", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "expiresAt": null, "environment": "sandbox", "allowedCidrs": []}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-800c-33840c672406', '019cd79e-4600-7000-8001-4283adf3bd7a', 'test', 'key.created', 'key_019cd79e46007000800bec943a29fcb6', '{"name": "test", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "expiresAt": "2026-03-12T00:00:00.000Z", "environment": "sandbox", "allowedCidrs": ["10.0.0.0/8"]}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-800e-707eb7e46af7', '019cd79e-4600-7000-800d-2306dd18e7ec', 'test', 'company.created', 'co_019cd79e46007000800d2306dd18e7ec', '{"kind": "individual", "name": "Test company"}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-800f-2fe4b41b4c34', '019cd79e-4600-7000-800d-2306dd18e7ec', 'test', 'company.verification.approve', 'co_019cd79e46007000800d2306dd18e7ec', '{"decision": "approve"}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8011-38de8af94fd1', '019cd79e-4600-7000-800d-2306dd18e7ec', 'test', 'key.created', 'key_019cd79e4600700080102f942c043e0f', '{"name": "test", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "expiresAt": null, "environment": "sandbox", "allowedCidrs": []}', NULL, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.audit_log VALUES ('019cd79e-4600-7000-8087-09199f104f48', '019cd79e-4600-7000-8001-4283adf3bd7a', 'operator key_019cd79e460070008000bd203b35fd84', 'review.completed', 'rev_019cd79e460070008083f4c3dc24c8cc', '{"reason": "seen in the wallet", "outcome": "completed", "invoiceId": "inv_019cd79e4600700080776331592ef26e"}', '127.0.0.1', '019cd79e-4600-7000-8086-9f70fc56c727', '2026-03-10 12:00:00+00');

-- Data for Name: card; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.card VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7000-8033-caa93f8cf86c', '019cd79e-4600-7000-802c-cb60b8c81c76', 'prod_card_virtual', 'Travel', '6132', 'active', 1000, '2026-03-10 12:00:00+00', NULL);
INSERT INTO public.card VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8025-a8bf9017863b', '019cd79e-4600-7000-8020-0d7cbcf07615', 'prod_card_virtual', 'Travel', '8726', 'closed', 0, '2026-03-10 12:00:00+00', NULL);
INSERT INTO public.card VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-801d-3fc4df07206e', '019cd7d6-bb20-7000-8018-b72731c5869e', 'prod_card_virtual', 'Ada', '9053', 'closed', 0, '2026-03-10 13:01:40+00', NULL);
INSERT INTO public.card VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8073-708207fffdac', '019cd79e-4600-7000-806f-6bd7a32bc0d6', 'prod_card_virtual', 'stays', '1872', 'closed', 0, '2026-03-10 12:00:00+00', NULL);

-- Data for Name: card_change; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.card_change VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8060-ac03b9f14735', '019cd79e-4600-7000-8025-a8bf9017863b', 'frozen', 'completed', NULL, NULL, NULL, '[{"sent": {"token": "chg_019cd79e460070008060ac03b9f14735", "cardId": "card_019cd79e460070008025a8bf9017863b", "status": "frozen"}, "outcome": "confirmed", "purpose": "request", "received": {"receipt": "rcpt_019cd79e460070008060ac03b9f14735", "received": {"status": "frozen", "receipt": "rcpt_019cd79e460070008060ac03b9f14735"}}, "startedAt": "2026-03-10T12:00:00.000Z", "finishedAt": "2026-03-10T12:00:00.000Z"}]', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:02+00', 0);
INSERT INTO public.card_change VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8067-918ea1122430', '019cd79e-4600-7000-8025-a8bf9017863b', 'active', 'completed', NULL, NULL, NULL, '[{"sent": {"token": "chg_019cd79e460070008067918ea1122430", "cardId": "card_019cd79e460070008025a8bf9017863b", "status": "active"}, "outcome": "confirmed", "purpose": "request", "received": {"receipt": "rcpt_019cd79e460070008067918ea1122430", "received": {"status": "active", "receipt": "rcpt_019cd79e460070008067918ea1122430"}}, "startedAt": "2026-03-10T12:00:00.000Z", "finishedAt": "2026-03-10T12:00:00.000Z"}]', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:02+00', 0);
INSERT INTO public.card_change VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-806b-7f0787b81eeb', '019cd79e-4600-7000-8025-a8bf9017863b', 'closed', 'completed', 11000, NULL, NULL, '[{"sent": {"token": "chg_019cd79e46007000806b7f0787b81eeb", "cardId": "card_019cd79e460070008025a8bf9017863b", "status": "closed"}, "outcome": "confirmed", "purpose": "request", "received": {"receipt": "rcpt_019cd79e46007000806b7f0787b81eeb", "received": {"status": "closed", "receipt": "rcpt_019cd79e46007000806b7f0787b81eeb"}}, "startedAt": "2026-03-10T12:00:00.000Z", "finishedAt": "2026-03-10T12:00:00.000Z"}]', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:02+00', 0);

-- Data for Name: company; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.company VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'Test company', 'corporate', 'approved', true, true, '2026-03-10 12:00:00+00');
INSERT INTO public.company VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'Test company', 'individual', 'approved', false, false, '2026-03-10 12:00:00+00');

-- Data for Name: delivery; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8013-8946d92f61a0', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-800b-ec943a29fcb6', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8023-88f8bb892a96', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8023-88f8bb892a96', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8037-bb64f5edddcb', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8037-bb64f5edddcb', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-803d-acec2e185651', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-803d-acec2e185651', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-803d-acec2e185651', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8046-bce6051dc28b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8046-bce6051dc28b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8046-bce6051dc28b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8051-0bc3cb137a67', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8051-0bc3cb137a67', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805a-9a08791d2278', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805d-251a90ccd7fd', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7004-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7005-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7006-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7007-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7008-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7009-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-700a-8025-a8bf9017863b', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8071-7d644fc7c3e0', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8071-7d644fc7c3e0', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8073-708207fffdac', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8077-6331592ef26e', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8077-6331592ef26e', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8089-5676b9e8d9e2', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8089-5676b9e8d9e2', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', '019cd79e-4600-7000-8016-bd0181ab9424', 'pending', 2, 0, '2026-03-10 13:06:16.755+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', '019cd79e-4600-7000-8016-bd0181ab9424', 'pending', 2, 0, '2026-03-10 13:06:39.838+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', '019cd79e-4600-7000-8016-bd0181ab9424', 'pending', 2, 0, '2026-03-10 13:06:18.252+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', '019cd79e-4600-7000-8016-bd0181ab9424', 'pending', 2, 0, '2026-03-10 13:06:30.699+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7001-8004-905810f4da83', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8004-905810f4da83', '019cd79e-4600-7000-8013-8946d92f61a0', 'delivered', 1, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a580-7000-8000-e542a944f131', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:40+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a580-7002-8000-e542a944f131', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:40+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a968-7000-8000-e40fe0bf736a', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:41+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7000-8000-dcb23646032f', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:42+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7002-8000-dcb23646032f', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:42+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7002-8073-708207fffdac', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:42+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7003-8000-dcb23646032f', '019cd79e-4600-7000-8013-8946d92f61a0', 'pending', 0, 0, '2026-03-10 13:02:42+00');
INSERT INTO public.delivery VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7003-8000-dcb23646032f', '019cd79e-4600-7000-8016-bd0181ab9424', 'pending', 0, 0, '2026-03-10 13:02:42+00');

-- Data for Name: deposit; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.deposit VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-801c-4d5c2db1f37e', 500000, 'f6d2afd3-bd4c-4dac-b521-5d550a2127b3', '\x3b318c0655d7c79162e7d7987288097ba27dbd1dff778cb657387ff7952ab664', '2026-03-10 12:00:00+00');
INSERT INTO public.deposit VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7000-801e-03225bd7243d', 10000, 'f3c3514f-7505-4d88-80e4-352f81742dfa', '\x1614556ae34e0fff0014467eecbca7ddf0be3de3a92ee104b02d56dbb2bc86dc', '2026-03-10 12:00:00+00');

-- Data for Name: entry; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 1, 'deposit', '019cd79e-4600-7000-801c-4d5c2db1f37e', 500000, 0, 500000, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 1, 'deposit', '019cd79e-4600-7000-801e-03225bd7243d', 10000, 0, 10000, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 2, 'reservation', '019cd79e-4600-7000-8023-88f8bb892a96', -10320, 10320, 500000, 10320, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 3, 'capture', '019cd79e-4600-7000-8023-88f8bb892a96', 0, -10000, 490000, 320, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 4, 'fee', '019cd79e-4600-7000-8023-88f8bb892a96', 0, -320, 489680, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 2, 'reservation', '019cd79e-4600-7000-8031-0895af6362b4', -1302, 1302, 10000, 1302, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 3, 'capture', '019cd79e-4600-7000-8031-0895af6362b4', 0, -1000, 9000, 302, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 4, 'fee', '019cd79e-4600-7000-8031-0895af6362b4', 0, -302, 8698, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 5, 'reservation', '019cd79e-4600-7000-8037-bb64f5edddcb', -2070, 2070, 489680, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 6, 'capture', '019cd79e-4600-7000-8037-bb64f5edddcb', 0, -2000, 487680, 70, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 7, 'fee', '019cd79e-4600-7000-8037-bb64f5edddcb', 0, -70, 487610, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 8, 'reservation', '019cd79e-4600-7000-803d-acec2e185651', -2070, 2070, 487610, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 9, 'release', '019cd79e-4600-7000-803d-acec2e185651', 2070, -2070, 487610, 0, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 10, 'reservation', '019cd79e-4600-7000-8046-bce6051dc28b', -2070, 2070, 487610, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 11, 'reservation', '019cd79e-4600-7000-8051-0bc3cb137a67', -1503, 1503, 487610, 3573, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 12, 'capture', '019cd79e-4600-7000-8051-0bc3cb137a67', 0, -1500, 486110, 2073, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 13, 'fee', '019cd79e-4600-7000-8051-0bc3cb137a67', 0, -3, 486107, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 14, 'adjustment', '019cd79e-4600-7000-8025-a8bf9017863b', 11000, 0, 497107, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 15, 'reservation', '019cd79e-4600-7000-8071-7d644fc7c3e0', -10320, 10320, 497107, 12390, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 16, 'capture', '019cd79e-4600-7000-8071-7d644fc7c3e0', 0, -10000, 487107, 2390, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 17, 'fee', '019cd79e-4600-7000-8071-7d644fc7c3e0', 0, -320, 486787, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 18, 'deposit', '019cd79e-4600-7000-8077-6331592ef26e', 10000, 0, 496787, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 19, 'fee', '019cd79e-4600-7000-8077-6331592ef26e', -150, 0, 496637, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 20, 'deposit', '019cd79e-4600-7000-8083-f4c3dc24c8cc', 5000, 0, 501637, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 21, 'fee', '019cd79e-4600-7000-8083-f4c3dc24c8cc', -75, 0, 501562, 2070, '2026-03-10 12:00:00+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 1, 'deposit', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 100000, 0, 100000, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 2, 'fee', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', -1500, 0, 98500, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 3, 'reservation', '019cd7d6-bb20-7000-801a-ce1c1d61080d', -10320, 10320, 98500, 10320, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 4, 'capture', '019cd7d6-bb20-7000-801a-ce1c1d61080d', 0, -10000, 88500, 320, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 5, 'fee', '019cd7d6-bb20-7000-801a-ce1c1d61080d', 0, -320, 88180, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 6, 'adjustment', '019cd7d6-bb20-7000-801d-3fc4df07206e', 8770, 0, 96950, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 7, 'adjustment', '019cd7d6-bb20-7000-8031-83e826a468a4', 230, 0, 97180, 0, '2026-03-10 13:01:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 22, 'reservation', '019cd7d7-a580-7000-8000-e542a944f131', -1244, 1244, 501562, 3314, '2026-03-10 13:02:40+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 23, 'reservation', '019cd7d7-a968-7000-8000-e40fe0bf736a', -2355, 2355, 501562, 5669, '2026-03-10 13:02:41+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 24, 'reservation', '019cd7d7-ad50-7000-8000-dcb23646032f', -1503, 1503, 501562, 7172, '2026-03-10 13:02:42+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 25, 'adjustment', '019cd79e-4600-7000-8073-708207fffdac', 10000, 0, 511562, 7172, '2026-03-10 13:02:42+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 26, 'capture', '019cd7d7-ad50-7000-8000-dcb23646032f', 0, -1500, 510062, 5672, '2026-03-10 13:02:42+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 27, 'fee', '019cd7d7-ad50-7000-8000-dcb23646032f', 0, -3, 510059, 5669, '2026-03-10 13:02:42+00');
INSERT INTO public.entry VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 28, 'adjustment', '019cd7d7-ad50-7000-8000-dcb23646032f', 1500, 0, 511559, 5669, '2026-03-10 13:02:42+00');

-- Data for Name: event; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8013-8946d92f61a0', 'webhook.ping', '019cd79e-4600-7000-8013-8946d92f61a0', 1, '{"id": "we_019cd79e4600700080138946d92f61a0", "url": "http://127.0.0.1:44527/hooks", "events": ["*"], "health": {"failures": 0, "failingSince": null, "lastSuccessAt": null}, "status": "enabled", "createdAt": "2026-03-10T12:00:00.000Z", "description": null, "environment": "sandbox", "disabledReason": null}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-800b-ec943a29fcb6', 'api_key.expiring', '019cd79e-4600-7000-800b-ec943a29fcb6', 1, '{"id": "key_019cd79e46007000800bec943a29fcb6", "name": "test", "last4": "mQk3", "prefix": "cstk_sandbox_rsc8", "scopes": ["funding:write", "cards:write", "services:write", "cards:read", "holders:read", "operations:read", "balance:read", "holders:write", "webhooks:read", "webhooks:write"], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-12T00:00:00.000Z", "revokedAt": null, "lastUsedAt": null, "environment": "sandbox", "allowedCidrs": ["10.0.0.0/8"]}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8023-88f8bb892a96', 'operation.processing', '019cd79e-4600-7000-8023-88f8bb892a96', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', 'operation.completed', '019cd79e-4600-7000-8023-88f8bb892a96', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8025-a8bf9017863b', 'card.created', '019cd79e-4600-7000-8025-a8bf9017863b', 1, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "100.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7002-8031-0895af6362b4', 'operation.processing', '019cd79e-4600-7000-8031-0895af6362b4', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7003-8031-0895af6362b4', 'operation.completed', '019cd79e-4600-7000-8031-0895af6362b4', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7001-8033-caa93f8cf86c', 'card.created', '019cd79e-4600-7000-8033-caa93f8cf86c', 1, '{"id": "card_019cd79e460070008033caa93f8cf86c", "name": "Travel", "last4": "6132", "status": "active", "balance": "10.00", "holderId": "hld_019cd79e46007000802ccb60b8c81c76", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8037-bb64f5edddcb', 'operation.processing', '019cd79e-4600-7000-8037-bb64f5edddcb', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', 'operation.completed', '019cd79e-4600-7000-8037-bb64f5edddcb', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-803d-acec2e185651', 'operation.processing', '019cd79e-4600-7000-803d-acec2e185651', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-803d-acec2e185651', 'operation.failed', '019cd79e-4600-7000-803d-acec2e185651', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8046-bce6051dc28b', 'operation.processing', '019cd79e-4600-7000-8046-bce6051dc28b', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8046-bce6051dc28b', 'operation.manual_review', '019cd79e-4600-7000-8046-bce6051dc28b', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8051-0bc3cb137a67', 'operation.processing', '019cd79e-4600-7000-8051-0bc3cb137a67', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', 'operation.completed', '019cd79e-4600-7000-8051-0bc3cb137a67', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 2, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "115.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805a-9a08791d2278', 'transaction.created', '019cd79e-4600-7000-805a-9a08791d2278', 1, '{"id": "txn_019cd79e46007000805a9a08791d2278", "type": "purchase", "amount": "-7.50", "cardId": "card_019cd79e460070008025a8bf9017863b", "status": "settled", "country": "DE", "currency": "USD", "merchant": "Bücher", "reference": "sandbox-019cd79e460070008059a80cfce01499", "occurredAt": "2026-03-10T12:00:00.000Z", "description": ""}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 3, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "107.50", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805d-251a90ccd7fd', 'transaction.created', '019cd79e-4600-7000-805d-251a90ccd7fd', 1, '{"id": "txn_019cd79e46007000805d251a90ccd7fd", "type": "refund", "amount": "2.50", "cardId": "card_019cd79e460070008025a8bf9017863b", "status": "settled", "country": "DE", "currency": "USD", "merchant": "Bücher", "reference": "sandbox-019cd79e46007000805c7195789aa412", "occurredAt": "2026-03-10T12:00:00.000Z", "description": ""}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7004-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 4, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7005-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 5, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual", "pendingStatus": "frozen"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7006-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 6, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "frozen", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7007-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 7, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "frozen", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual", "pendingStatus": "active"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7008-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 8, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7009-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 9, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "active", "balance": "110.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual", "pendingStatus": "closed"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-700a-8025-a8bf9017863b', 'card.updated', '019cd79e-4600-7000-8025-a8bf9017863b', 10, '{"id": "card_019cd79e460070008025a8bf9017863b", "name": "Travel", "last4": "8726", "status": "closed", "balance": "0.00", "holderId": "hld_019cd79e4600700080200d7cbcf07615", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8071-7d644fc7c3e0', 'operation.processing', '019cd79e-4600-7000-8071-7d644fc7c3e0', 2, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', 'operation.completed', '019cd79e-4600-7000-8071-7d644fc7c3e0', 3, NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8073-708207fffdac', 'card.created', '019cd79e-4600-7000-8073-708207fffdac', 1, '{"id": "card_019cd79e460070008073708207fffdac", "name": "stays", "last4": "1872", "status": "active", "balance": "100.00", "holderId": "hld_019cd79e46007000806f6bd7a32bc0d6", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8077-6331592ef26e', 'invoice.pending', '019cd79e-4600-7000-8077-6331592ef26e', 1, '{"id": "inv_019cd79e4600700080776331592ef26e", "fee": "1.50", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/cyJO0p_taABAfYPIuaOlblYE9dcqi1HY72--C9gge00", "status": "pending", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "100.005128", "environment": "sandbox", "creditAmount": "98.50", "depositAmount": "100.00", "receivedAmount": null}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8077-6331592ef26e', 'invoice.completed', '019cd79e-4600-7000-8077-6331592ef26e', 2, '{"id": "inv_019cd79e4600700080776331592ef26e", "fee": "1.50", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/cyJO0p_taABAfYPIuaOlblYE9dcqi1HY72--C9gge00", "status": "completed", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "100.005128", "environment": "sandbox", "creditAmount": "98.50", "depositAmount": "100.00", "receivedAmount": "100.005128"}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7002-800d-6baf3e3dc3d4', 'invoice.completed', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 2, '{"id": "inv_019cd7d6bb207000800d6baf3e3dc3d4", "fee": "15.00", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/RSovr8LM5W4IBZED1IKoUI5XDqxtjXd63q0FrdOOuVQ", "status": "completed", "address": "TCqWpTYA9QqRDwFYxXqugKrQofdHW3pUdY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "1000.004939", "environment": "live", "creditAmount": "985.00", "depositAmount": "1000.00", "receivedAmount": "1000.004939"}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8089-5676b9e8d9e2', 'invoice.pending', '019cd79e-4600-7000-8089-5676b9e8d9e2', 1, '{"id": "inv_019cd79e4600700080895676b9e8d9e2", "fee": "0.45", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/4KluKdUZy0mYaieMZYFQbuHf3Jf_7OX3mlmcrnMMNHU", "status": "pending", "address": "TC8eVkBoJ6aDV1qq2dbYhvXsF4qzLhvGcY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "30.006174", "environment": "sandbox", "creditAmount": "29.55", "depositAmount": "30.00", "receivedAmount": null}', '2026-03-10 12:00:00+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8089-5676b9e8d9e2', 'invoice.expired', '019cd79e-4600-7000-8089-5676b9e8d9e2', 2, '{"id": "inv_019cd79e4600700080895676b9e8d9e2", "fee": "0.45", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/4KluKdUZy0mYaieMZYFQbuHf3Jf_7OX3mlmcrnMMNHU", "status": "expired", "address": "TC8eVkBoJ6aDV1qq2dbYhvXsF4qzLhvGcY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "30.006174", "environment": "sandbox", "creditAmount": "29.55", "depositAmount": "30.00", "receivedAmount": null}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7001-8004-905810f4da83', 'invoice.pending', '019cd7d6-bb20-7000-8004-905810f4da83', 1, '{"id": "inv_019cd7d6bb2070008004905810f4da83", "fee": "0.60", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/_bNhx1VzowKq4prpraBInJ9iHbrpFNgEMW7mlL6nj1c", "status": "pending", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "40.003264", "environment": "sandbox", "creditAmount": "39.40", "depositAmount": "40.00", "receivedAmount": null}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8004-905810f4da83', 'invoice.manual_review', '019cd7d6-bb20-7000-8004-905810f4da83', 2, '{"id": "inv_019cd7d6bb2070008004905810f4da83", "fee": "0.60", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/_bNhx1VzowKq4prpraBInJ9iHbrpFNgEMW7mlL6nj1c", "status": "manual_review", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": ["underpaid"], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "40.003264", "environment": "sandbox", "creditAmount": "39.40", "depositAmount": "40.00", "receivedAmount": "20.000000"}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7001-800d-6baf3e3dc3d4', 'invoice.pending', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 1, '{"id": "inv_019cd7d6bb207000800d6baf3e3dc3d4", "fee": "15.00", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/RSovr8LM5W4IBZED1IKoUI5XDqxtjXd63q0FrdOOuVQ", "status": "pending", "address": "TCqWpTYA9QqRDwFYxXqugKrQofdHW3pUdY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "1000.004939", "environment": "live", "creditAmount": "985.00", "depositAmount": "1000.00", "receivedAmount": null}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7001-8031-83e826a468a4', 'transaction.created', '019cd7d6-bb20-7000-8031-83e826a468a4', 1, '{"id": "txn_019cd7d6bb207000803183e826a468a4", "type": "refund", "amount": "2.30", "cardId": "card_019cd7d6bb207000801d3fc4df07206e", "status": "settled", "country": "DE", "currency": "USD", "merchant": "Books", "reference": "t2", "occurredAt": "2026-03-10T13:01:40.000Z", "description": ""}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a580-7002-8000-e542a944f131', 'operation.processing', '019cd7d7-a580-7000-8000-e542a944f131', 2, NULL, '2026-03-10 13:02:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7002-8000-dcb23646032f', 'operation.processing', '019cd7d7-ad50-7000-8000-dcb23646032f', 2, NULL, '2026-03-10 13:02:42+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7002-8073-708207fffdac', 'card.updated', '019cd79e-4600-7000-8073-708207fffdac', 2, '{"id": "card_019cd79e460070008073708207fffdac", "name": "stays", "last4": "1872", "status": "closed", "balance": "0.00", "holderId": "hld_019cd79e46007000806f6bd7a32bc0d6", "createdAt": "2026-03-10T12:00:00.000Z", "productId": "prod_card_virtual"}', '2026-03-10 13:02:42+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7003-8000-dcb23646032f', 'operation.completed', '019cd7d7-ad50-7000-8000-dcb23646032f', 3, NULL, '2026-03-10 13:02:42+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7002-801a-ce1c1d61080d', 'operation.processing', '019cd7d6-bb20-7000-801a-ce1c1d61080d', 2, NULL, '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7003-801a-ce1c1d61080d', 'operation.completed', '019cd7d6-bb20-7000-801a-ce1c1d61080d', 3, NULL, '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7001-801d-3fc4df07206e', 'card.created', '019cd7d6-bb20-7000-801d-3fc4df07206e', 1, '{"id": "card_019cd7d6bb207000801d3fc4df07206e", "name": "Ada", "last4": "9053", "status": "active", "balance": "100.00", "holderId": "hld_019cd7d6bb2070008018b72731c5869e", "createdAt": "2026-03-10T13:01:40.000Z", "productId": "prod_card_virtual"}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7003-801d-3fc4df07206e', 'card.updated', '019cd7d6-bb20-7000-801d-3fc4df07206e', 3, '{"id": "card_019cd7d6bb207000801d3fc4df07206e", "name": "Ada", "last4": "9053", "status": "closed", "balance": "0.00", "holderId": "hld_019cd7d6bb2070008018b72731c5869e", "createdAt": "2026-03-10T13:01:40.000Z", "productId": "prod_card_virtual"}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7001-8023-6e37c173a18b', 'transaction.created', '019cd7d6-bb20-7000-8023-6e37c173a18b', 1, '{"id": "txn_019cd7d6bb20700080236e37c173a18b", "type": "purchase", "amount": "-12.30", "cardId": "card_019cd7d6bb207000801d3fc4df07206e", "status": "settled", "country": "DE", "currency": "USD", "merchant": "Books", "reference": "t1", "occurredAt": "2026-03-10T13:01:40.000Z", "description": ""}', '2026-03-10 13:01:40+00');
INSERT INTO public.event VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7002-801d-3fc4df07206e', 'card.updated', '019cd7d6-bb20-7000-801d-3fc4df07206e', 2, '{"id": "card_019cd7d6bb207000801d3fc4df07206e", "name": "Ada", "last4": "9053", "status": "active", "balance": "87.70", "holderId": "hld_019cd7d6bb2070008018b72731c5869e", "createdAt": "2026-03-10T13:01:40.000Z", "productId": "prod_card_virtual"}', '2026-03-10 13:01:40+00');

-- Data for Name: event_counter; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8013-8946d92f61a0', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-800b-ec943a29fcb6', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-805a-9a08791d2278', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-805d-251a90ccd7fd', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8025-a8bf9017863b', 10);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8077-6331592ef26e', 2);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8089-5676b9e8d9e2', 2);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7000-8004-905810f4da83', 2);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 2);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-8023-6e37c173a18b', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-801d-3fc4df07206e', 3);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-8031-83e826a468a4', 1);
INSERT INTO public.event_counter VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8073-708207fffdac', 2);

-- Data for Name: exchange; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.exchange VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-803d-acec2e185651', '019cd79e-4600-7000-803e-95b1386403a2', 'request', '{"type": "service", "token": "op_019cd79e46007000803dacec2e185651", "amount": "20.00", "productId": "prod_service_esim", "recipient": "fail"}', '{"code": "declined", "message": "The issuer declined the operation.", "received": {"declined": true}}', 'declined', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');
INSERT INTO public.exchange VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8046-bce6051dc28b', '019cd79e-4600-7000-8047-55a497abe4c0', 'request', '{"type": "service", "token": "op_019cd79e460070008046bce6051dc28b", "amount": "20.00", "productId": "prod_service_esim", "recipient": "unknown"}', '{"reason": "the sandbox was told to leave the outcome open"}', 'unknown', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');
INSERT INTO public.exchange VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8046-bce6051dc28b', '019cd79e-4600-7000-804a-97873cddb78a', 'look_up', '{"token": "op_019cd79e460070008046bce6051dc28b"}', '{"reason": "the issuer does not know this token", "received": {"found": false}}', 'unknown', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');

-- Data for Name: holder; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.holder VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8020-0d7cbcf07615', 'Ada Holder', 'ada@example.com', 'individual', 'active', NULL, 'b3977596-57f0-485f-8fa9-776ef03f4943', '\x05d724b62a010b372644c94db8811d0b93244e967db45467862836cf45beb41f', '2026-03-10 12:00:00+00');
INSERT INTO public.holder VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7000-802c-cb60b8c81c76', 'Ada Holder', 'ada@example.com', 'individual', 'active', NULL, '19ddf3e6-fcaa-438c-b49d-0df4611cfc01', '\x05d724b62a010b372644c94db8811d0b93244e967db45467862836cf45beb41f', '2026-03-10 12:00:00+00');
INSERT INTO public.holder VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-806f-6bd7a32bc0d6', 'Ada Holder', 'ada@example.com', 'individual', 'active', NULL, '2206e395-190e-4a37-acc9-14aeaa11ea48', '\x05d724b62a010b372644c94db8811d0b93244e967db45467862836cf45beb41f', '2026-03-10 12:00:00+00');
INSERT INTO public.holder VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-8018-b72731c5869e', 'Ada', 'ada@example.com', 'individual', 'active', NULL, NULL, NULL, '2026-03-10 13:01:40+00');

-- Data for Name: installation; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.installation VALUES ('secret_key_check', '\x00');

-- Data for Name: invoice; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.invoice VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 'completed', 100000, 100000, 1500, 'TCqWpTYA9QqRDwFYxXqugKrQofdHW3pUdY', 1000004939, '2026-03-10 14:01:40+00', 1000004939, '{}', NULL, NULL, '9a686b36-fd02-4902-b4e5-608b88971e23', '\x071a78c49b5b55fb01f67a43e40116527224efa0aebfc02ee0408303e1746e26', '{"id": "inv_019cd7d6bb207000800d6baf3e3dc3d4", "fee": "15.00", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/RSovr8LM5W4IBZED1IKoUI5XDqxtjXd63q0FrdOOuVQ", "status": "pending", "address": "TCqWpTYA9QqRDwFYxXqugKrQofdHW3pUdY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "1000.004939", "environment": "live", "creditAmount": "985.00", "depositAmount": "1000.00", "receivedAmount": null}', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', '2026-03-10 13:01:41.5+00', 0, false);
INSERT INTO public.invoice VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8077-6331592ef26e', 'completed', 10000, 10000, 150, 'TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR', 100005128, '2026-03-10 13:00:00+00', 100005128, '{}', NULL, NULL, '4a2ab8fa-e018-4a0a-82ef-bcc8a9451065', '\x1614556ae34e0fff0014467eecbca7ddf0be3de3a92ee104b02d56dbb2bc86dc', '{"id": "inv_019cd79e4600700080776331592ef26e", "fee": "1.50", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/cyJO0p_taABAfYPIuaOlblYE9dcqi1HY72--C9gge00", "status": "pending", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "100.005128", "environment": "sandbox", "creditAmount": "98.50", "depositAmount": "100.00", "receivedAmount": null}', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', 0, false);
INSERT INTO public.invoice VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8089-5676b9e8d9e2', 'expired', 3000, 3000, 45, 'TC8eVkBoJ6aDV1qq2dbYhvXsF4qzLhvGcY', 30006174, '2026-03-10 13:00:00+00', NULL, '{}', NULL, NULL, '4dbec38a-1fdb-436f-a2f6-6cfc4abea135', '\x4aef01ae8e2780641c02874b906be187b549e0f638f334d53cf22dfeecb7d07b', '{"id": "inv_019cd79e4600700080895676b9e8d9e2", "fee": "0.45", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/4KluKdUZy0mYaieMZYFQbuHf3Jf_7OX3mlmcrnMMNHU", "status": "pending", "address": "TC8eVkBoJ6aDV1qq2dbYhvXsF4qzLhvGcY", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T12:00:00.000Z", "expiresAt": "2026-03-10T13:00:00.000Z", "payAmount": "30.006174", "environment": "sandbox", "creditAmount": "29.55", "depositAmount": "30.00", "receivedAmount": null}', '2026-03-10 12:00:00+00', '2026-03-10 13:01:40+00', '2026-03-10 12:00:01.5+00', 0, false);
INSERT INTO public.invoice VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7000-8004-905810f4da83', 'manual_review', 4000, 4000, 60, 'TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR', 40003264, '2026-03-10 14:01:40+00', 20000000, '{underpaid}', NULL, NULL, 'ba1980cc-591d-4bb8-a5f4-72404e1e0dbd', '\xa393b54e0771523957a55f2f7a3dcfdd28555e5b3be6fb630e9bfb6f481af2c0', '{"id": "inv_019cd7d6bb2070008004905810f4da83", "fee": "0.60", "asset": "USDT", "payUrl": "http://127.0.0.1:44469/pay/_bNhx1VzowKq4prpraBInJ9iHbrpFNgEMW7mlL6nj1c", "status": "pending", "address": "TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR", "network": "TRON", "reasons": [], "createdAt": "2026-03-10T13:01:40.000Z", "expiresAt": "2026-03-10T14:01:40.000Z", "payAmount": "40.003264", "environment": "sandbox", "creditAmount": "39.40", "depositAmount": "40.00", "receivedAmount": null}', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', '2026-03-10 13:01:41.5+00', 0, false);

-- Data for Name: invoice_payment; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.invoice_payment VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 'sandbox complete 019cd79e-4600-7000-8077-6331592ef26e', '019cd79e-4600-7000-8077-6331592ef26e', 100005128, '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', true);
INSERT INTO public.invoice_payment VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 'sandbox 019cd79e-4600-7000-8082-d1daceec8416', '019cd79e-4600-7000-8077-6331592ef26e', 50000000, '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', true);
INSERT INTO public.invoice_payment VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 'sandbox 019cd7d6-bb20-7000-800a-9237d588fc49', '019cd7d6-bb20-7000-8004-905810f4da83', 20000000, '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', false);
INSERT INTO public.invoice_payment VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 'tx_019cd7d6bb20700080126e8a64415e55', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', 1000004939, '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', true);

-- Data for Name: issuer_event; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.issuer_event VALUES ('ievt_019cd7d6bb20700080137102f1037d49', 'invoice.settled', '\x9cadb031d7be5dba7fa99669e407260f3e20fc4c512c4c4dafd101968a1862ec', '2026-03-10 13:01:40+00');
INSERT INTO public.issuer_event VALUES ('ievt_019cd7d6bb2070008020eeb1b36a7b82', 'card.transaction', '\xf5662ea46bd17f3bc49fd2c50a6ee9cd501484247363f3c99f6239dd694a67d2', '2026-03-10 13:01:40+00');
INSERT INTO public.issuer_event VALUES ('ievt_019cd7d6bb2070008026e56af9d8662d', 'card.status', '\xc3586a524e6ff22ff1368d20db313b63cd3adf4c255bcb688977b062ff0aac90', '2026-03-10 13:01:40+00');
INSERT INTO public.issuer_event VALUES ('ievt_019cd7d6bb207000802c04ac6b8cb54f', 'card.transaction', '\x1278ac484ee072919a215b5a04884c0a277448f2f58a4762408ba1b4c4eb86ad', '2026-03-10 13:01:40+00');

-- Data for Name: operation; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8023-88f8bb892a96', 'issue', 'completed', 10000, 320, 'prod_card_virtual', '019cd79e-4600-7000-8020-0d7cbcf07615', '019cd79e-4600-7000-8025-a8bf9017863b', 'Travel', NULL, 'rcpt_019cd79e46007000802388f8bb892a96', NULL, NULL, 'c801937e-3325-4e7a-9f62-375ac957b1c1', '\xfcbdfa05ad0ae1acde781c288134c08a18612bf4a5bd330bc7cc555cb24d8203', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', '019cd79e-4600-7000-8031-0895af6362b4', 'issue', 'completed', 1000, 302, 'prod_card_virtual', '019cd79e-4600-7000-802c-cb60b8c81c76', '019cd79e-4600-7000-8033-caa93f8cf86c', 'Travel', NULL, 'rcpt_019cd79e4600700080310895af6362b4', NULL, NULL, '4865787b-ac51-48fd-870e-32cfa4e8d71f', '\x04823b12236f6d797d7ba749a85dc8b239a3609b25542e6345c11eb0845f0293', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8037-bb64f5edddcb', 'service', 'completed', 2000, 70, 'prod_service_esim', NULL, NULL, NULL, 'ada@example.com', 'rcpt_019cd79e460070008037bb64f5edddcb', NULL, NULL, '19a38403-d6e2-46f8-ac23-ddbc5cc2a997', '\xb823a6434da642d018ce25deb58e3272615b69483db009fa26a81341ae704b8a', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-803d-acec2e185651', 'service', 'failed', 2000, 70, 'prod_service_esim', NULL, NULL, NULL, 'fail', NULL, 'declined', 'The issuer declined the operation.', 'e609520f-7ad0-45db-abcc-8fa86f031482', '\xe99c8258553c36662c232f1b0981450055eafbfe56a04e1c90a0c7f1cf82aafe', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8046-bce6051dc28b', 'service', 'manual_review', 2000, 70, 'prod_service_esim', NULL, NULL, NULL, 'unknown', NULL, NULL, NULL, '0c2f0f70-149a-4dd6-8a51-7e8df09c17be', '\x3ca3d840370851a534288dcab76efc3dd6375af757d63d5d9c3dc74ca9425664', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 1, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8051-0bc3cb137a67', 'topup', 'completed', 1500, 3, 'prod_card_virtual', NULL, '019cd79e-4600-7000-8025-a8bf9017863b', NULL, NULL, 'rcpt_019cd79e4600700080510bc3cb137a67', NULL, NULL, '4fbb4770-b32c-4892-bda0-1d61a99c5ba1', '\x66d22a1eb5f68f7a9d41fd5e95c8c50498b7dc80b56baadec57f461c6c0eaedc', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8071-7d644fc7c3e0', 'issue', 'completed', 10000, 320, 'prod_card_virtual', '019cd79e-4600-7000-806f-6bd7a32bc0d6', '019cd79e-4600-7000-8073-708207fffdac', 'stays', NULL, 'rcpt_019cd79e4600700080717d644fc7c3e0', NULL, NULL, '5dbea589-a02b-47ed-8018-66280d50f6d3', '\x33d93c547a6f1dd2eedf73d795c2b3967cd8fb411393153357f4ecb49ca1adf5', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:01.5+00', '2026-03-10 12:00:00+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-801a-ce1c1d61080d', 'issue', 'completed', 10000, 320, 'prod_card_virtual', '019cd7d6-bb20-7000-8018-b72731c5869e', '019cd7d6-bb20-7000-801d-3fc4df07206e', 'Ada', NULL, 'ref_019cd7d6bb207000801ace1c1d61080d', NULL, NULL, 'cd343713-0edf-4a13-a2d8-0b94c86e9fb2', '\x39fe89d2a3588de4628c6f8a982eefecb7ab34d0cd5109003bb52d67714ed653', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', '2026-03-10 13:01:41.5+00', '2026-03-10 13:01:40+00', 0, 0, 3);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a580-7000-8000-e542a944f131', 'service', 'processing', 1234, 10, 'prod_service_esim', NULL, NULL, NULL, 'ada@example.com', NULL, NULL, NULL, 'dcf3af4b-b920-49d7-afba-ac406d9cdd2e', '\xaa76e26df8a39c8cb9c5592864e467097a4165aae7ecb5c8117d106e2c58a3a4', '2026-03-10 13:02:40+00', '2026-03-10 13:02:40+00', '2026-03-10 13:04:10+00', '2026-03-10 13:02:40+00', 0, 0, 2);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-a968-7000-8000-e40fe0bf736a', 'service', 'queued', 2345, 10, 'prod_service_esim', NULL, NULL, NULL, 'ada@example.com', NULL, NULL, NULL, '57a46865-e698-4e2a-9d1a-7f66961c4201', '\x3da848ea1a01610ed6684e55d42bce312605ec5d39fbe49481bdea875e31fbc9', '2026-03-10 13:02:41+00', '2026-03-10 13:02:41+00', '2026-03-11 00:00:00+00', NULL, 0, 0, 1);
INSERT INTO public.operation VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d7-ad50-7000-8000-dcb23646032f', 'topup', 'completed', 1500, 3, 'prod_card_virtual', NULL, '019cd79e-4600-7000-8073-708207fffdac', NULL, NULL, 'R1', NULL, NULL, 'e38da573-153c-485c-b19f-631a3f475a96', '\xa8e1dccc388d541c4ccc522de14317d1771e803648cce79098143ad78e5327bb', '2026-03-10 13:02:42+00', '2026-03-10 13:02:42+00', '2026-03-10 13:04:12+00', '2026-03-10 13:02:42+00', 0, 0, 3);

-- Data for Name: operator_token; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.operator_token VALUES ('019cd79e-4600-7000-8000-bd203b35fd84', '\x84f5aac7e4d30e5a13a3aa9faf95c80c28840bb65d79d456b9fba70a7008fa5b', '2026-03-10 12:00:00+00', NULL);

-- Data for Name: pay_link; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.pay_link VALUES ('\x247d957131289d216584f5996f196fff9f909d35021d50e9e02a49172eec5f0b', '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8077-6331592ef26e');
INSERT INTO public.pay_link VALUES ('\xaacdb6d8b23020ff1bdee3547eb9d05b17ac6039c11efbeb8c8aba55ae4f37dc', '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8089-5676b9e8d9e2');
INSERT INTO public.pay_link VALUES ('\x020177d664e760e916759669ead18e86c326a7b98f9f07a682419f427b94565f', '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7000-8004-905810f4da83');
INSERT INTO public.pay_link VALUES ('\xbea6f8632cb091f467fb7bfdba19c4fcc739997447623c21f0ddfd10a915fed8', '019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4');

-- Data for Name: payment_review; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.payment_review VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8083-f4c3dc24c8cc', '019cd79e-4600-7000-8077-6331592ef26e', 'sandbox 019cd79e-4600-7000-8082-d1daceec8416', 'completed', 50000000, 5000, 75, '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');

-- Data for Name: payment_slot; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.payment_slot VALUES ('TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR', 100005128, '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8077-6331592ef26e', '2026-03-10 13:00:00+00', '2026-03-11 13:00:00+00');
INSERT INTO public.payment_slot VALUES ('TC8eVkBoJ6aDV1qq2dbYhvXsF4qzLhvGcY', 30006174, '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8089-5676b9e8d9e2', '2026-03-10 13:00:00+00', '2026-03-11 13:00:00+00');
INSERT INTO public.payment_slot VALUES ('TG8GqiUjCLdRMxo1NSzHwTHCEBmCAHWQpR', 40003264, '019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7000-8004-905810f4da83', '2026-03-10 14:01:40+00', '2026-03-11 14:01:40+00');
INSERT INTO public.payment_slot VALUES ('TCqWpTYA9QqRDwFYxXqugKrQofdHW3pUdY', 1000004939, '019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-800d-6baf3e3dc3d4', '2026-03-10 14:01:40+00', '2026-03-11 14:01:40+00');

-- Data for Name: price; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.price VALUES ('prod_card_virtual', 'issue', 300, 2000, 0, 1000, NULL, NULL);
INSERT INTO public.price VALUES ('prod_card_virtual', 'topup', 0, 2000, 0, 1000, NULL, NULL);
INSERT INTO public.price VALUES ('prod_card_advertising', 'issue', 300, 2000, 0, 1000, NULL, NULL);
INSERT INTO public.price VALUES ('prod_card_advertising', 'topup', 0, 2000, 0, 1000, NULL, NULL);
INSERT INTO public.price VALUES ('prod_service_esim', 'service', 50, 10000, 0, 300, 20000, NULL);
INSERT INTO public.price VALUES ('prod_service_mobile', 'service', 25, 15000, 0, 500, 50000, NULL);
INSERT INTO public.price VALUES ('prod_service_vpn', 'service', 0, 0, 0, NULL, NULL, 4900);

-- Data for Name: product; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.product VALUES ('prod_card_virtual', 'card', 'Virtual card', 'A virtual USD card for online payments', 'USD', 1);
INSERT INTO public.product VALUES ('prod_card_advertising', 'card', 'Advertising card', 'A virtual USD card for advertising platforms', 'USD', 2);
INSERT INTO public.product VALUES ('prod_service_esim', 'service', 'Travel eSIM', 'A data eSIM sent to the recipient by e-mail', 'USD', 3);
INSERT INTO public.product VALUES ('prod_service_mobile', 'service', 'Mobile top-up', 'Credit for a prepaid mobile number', 'USD', 4);
INSERT INTO public.product VALUES ('prod_service_vpn', 'service', 'VPN, one year', 'A one-year VPN subscription at a fixed price', 'USD', 5);

-- Data for Name: sandbox_card_effect; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.sandbox_card_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8060-ac03b9f14735', 'frozen', 'rcpt_019cd79e460070008060ac03b9f14735', '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_card_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8067-918ea1122430', 'active', 'rcpt_019cd79e460070008067918ea1122430', '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_card_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-806b-7f0787b81eeb', 'closed', 'rcpt_019cd79e46007000806b7f0787b81eeb', '2026-03-10 12:00:00+00');

-- Data for Name: sandbox_effect; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.sandbox_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8023-88f8bb892a96', 'issue', 10000, 'rcpt_019cd79e46007000802388f8bb892a96', '8726', '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_effect VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', '019cd79e-4600-7000-8031-0895af6362b4', 'issue', 1000, 'rcpt_019cd79e4600700080310895af6362b4', '6132', '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8037-bb64f5edddcb', 'service', 2000, 'rcpt_019cd79e460070008037bb64f5edddcb', NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8051-0bc3cb137a67', 'topup', 1500, 'rcpt_019cd79e4600700080510bc3cb137a67', NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.sandbox_effect VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', '019cd79e-4600-7000-8071-7d644fc7c3e0', 'issue', 10000, 'rcpt_019cd79e4600700080717d644fc7c3e0', '1872', '2026-03-10 12:00:00+00');

-- Data for Name: schema_file; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.schema_file VALUES ('migrations/0001_access.sql', '221e002e1773903c11cfa6123c0a291b80066bcc6b3a208a13e1389f725d1fd0', '2026-11-15 17:03:27.988839+00');
INSERT INTO public.schema_file VALUES ('migrations/0002_cards.sql', 'bdeb018691d5bbf5b917ef368506dd822503d02f7d128cb5d67e9d601f2fd145', '2026-11-15 17:03:28.04696+00');
INSERT INTO public.schema_file VALUES ('migrations/0003_ledger.sql', 'ac3016dcdad080a2e159a9812ed3468dc6e2f2d90b554831b987d6d4a698fdb2', '2026-11-15 17:03:28.110452+00');
INSERT INTO public.schema_file VALUES ('migrations/0004_operations.sql', '0fc7e8a00791abab016107e823d0c0668560d2b299bc926b2d2e9fde0644d83e', '2026-11-15 17:03:28.150053+00');
INSERT INTO public.schema_file VALUES ('migrations/0005_events.sql', 'ec6b333769517bf835d064680629817aed2f02c2fc8eea61433380e283cc3589', '2026-11-15 17:03:28.187116+00');
INSERT INTO public.schema_file VALUES ('migrations/0006_books.sql', '2d8546a8c840206f870a403d95f4f105939de6f8fe7644bf52fbff9d3a9642cc', '2026-11-15 17:03:28.247056+00');
INSERT INTO public.schema_file VALUES ('migrations/0007_funding.sql', '57c0366f3df413a8b76829cd8bcf504e41c69c7a666a4f7578b4ef210872fae0', '2026-11-15 17:03:28.282452+00');
INSERT INTO public.schema_file VALUES ('functions/accept_operation.sql', '4b3939763f4b69a1b0618170e929bcf3e06d8031a855f98f2a929f10fbdc69bf', '2026-11-15 17:03:28.410747+00');
INSERT INTO public.schema_file VALUES ('functions/accept_operations.sql', 'e505b0a5189e00dadd4372346719fb5fffd36b84f3dbb0a2e12ca88a3d5f7fab', '2026-11-15 17:03:28.417578+00');
INSERT INTO public.schema_file VALUES ('functions/account_statement.sql', 'b9bdf66231fa787af1647a05994fd7f0b2893076f7b0dc63efd900e8446b12f9', '2026-11-15 17:03:28.420965+00');
INSERT INTO public.schema_file VALUES ('functions/audit_account.sql', '5311910e3cde7818800c6bf1746ae157df92056746e14440c606e059577f13a1', '2026-11-15 17:03:28.436988+00');
INSERT INTO public.schema_file VALUES ('functions/begin_invoice.sql', '279959b27621f8b257656c335276934211963a26ae2c13a48ebbc52c8d9bc391', '2026-11-15 17:03:28.445057+00');
INSERT INTO public.schema_file VALUES ('functions/change_card.sql', 'ea33a0dd717911eae3d1ab8eba5a1f3e793452131a00bcd4e6f98cc41bb0782d', '2026-11-15 17:03:28.445794+00');
INSERT INTO public.schema_file VALUES ('functions/claim_invoice_look_ups.sql', '93cd6ff5fead2b0c09bbc134c8e8fb1efa3336da0cea69682b941965abc6b673', '2026-11-15 17:03:28.45699+00');
INSERT INTO public.schema_file VALUES ('functions/claim_operations.sql', '5320e2d6068282ed549b31242a4c6d272dac2f596c059c23cf2227555e1b8da3', '2026-11-15 17:03:28.457835+00');
INSERT INTO public.schema_file VALUES ('functions/claim_payment_slot.sql', '362906aff1d5bb5fd63b4186561d40534711a14487591fdc28659f544a999b18', '2026-11-15 17:03:28.458732+00');
INSERT INTO public.schema_file VALUES ('functions/count_issues.sql', '4b425308db9af47d96c78655fa660471dc1499f11ebae3143a268287277809c0', '2026-11-15 17:03:28.463302+00');
INSERT INTO public.schema_file VALUES ('functions/credit_account.sql', '72cbbf85d426479be028af629196454361072150a93dcba729412895560fd53d', '2026-11-15 17:03:28.465635+00');
INSERT INTO public.schema_file VALUES ('functions/deposit_funds.sql', '28a76f6ea16f54ee7e69838ccab8b4d6bde9b0287320d0fc8f3371f38d25ee73', '2026-11-15 17:03:28.466284+00');
INSERT INTO public.schema_file VALUES ('functions/emit_event.sql', 'f0e5c8f4ab7c6a0f2a03a37470b7be3350906fb1624f9dfd54bddb52a5384359', '2026-11-15 17:03:28.466806+00');
INSERT INTO public.schema_file VALUES ('functions/event_id.sql', '6c0fca31726febf057c0a972c312df86ee4ebea5396d28669d8e56a486bae7f6', '2026-11-15 17:03:28.473869+00');
INSERT INTO public.schema_file VALUES ('functions/expire_invoice.sql', '1e2efbdf5feb7cdb2313ff4785176ef2921e9e294f78d15bc6a80045449460c3', '2026-11-15 17:03:28.474727+00');
INSERT INTO public.schema_file VALUES ('functions/fan_out.sql', '5b0d1af573a19d6c05b6bb7e2d6bffdac5c29ed80d9be4f0584e461637bff554', '2026-11-15 17:03:28.475143+00');
INSERT INTO public.schema_file VALUES ('functions/find_operations_by_key.sql', '749767b27c7dcbea4ec58e4fdb2030792a47939eed943ffb58136422c1fce53e', '2026-11-15 17:03:28.482657+00');
INSERT INTO public.schema_file VALUES ('functions/invoice_json.sql', '1ff47bb6783796b16506f7ae9f348718bdc92e147ba5ae6d850d3b9e70b7614a', '2026-11-15 17:03:28.483262+00');
INSERT INTO public.schema_file VALUES ('functions/new_id.sql', 'feec93856ee8ea650b7e4a36c829cd64ed647c70e75eb9b021f84e3052993ee4', '2026-11-15 17:03:28.484133+00');
INSERT INTO public.schema_file VALUES ('functions/prune_events.sql', '3d9fb0d5d9bf427fb61be94ec03b99edaae50e45469b349e92b07420199c5087', '2026-11-15 17:03:28.484627+00');
INSERT INTO public.schema_file VALUES ('functions/record_audit.sql', '3d1948d2230fe209cca6b79c3af6399365c283362a7ccff1b550fd03bed5f088', '2026-11-15 17:03:28.485231+00');
INSERT INTO public.schema_file VALUES ('functions/record_payment.sql', '004e41498d6011bd058c9ece57aea8d34cf47c537b94e24342c5b8eab14317af', '2026-11-15 17:03:28.49321+00');
INSERT INTO public.schema_file VALUES ('functions/record_transaction.sql', '9d85765e80e248830777fef98bf61aaad99e914d1e22f8eb52e0d26c40ddf433', '2026-11-15 17:03:28.494411+00');
INSERT INTO public.schema_file VALUES ('functions/report_card_status.sql', '0e17b1350877848e61a9d37aa75191655f3e6b3d472f2f590f17f4c523f7f800', '2026-11-15 17:03:28.495412+00');
INSERT INTO public.schema_file VALUES ('functions/resolve_invoice.sql', '254c7daa614b4e9996a591be1fa24b7e4748e2705a48ac18ec7a065386226193', '2026-11-15 17:03:28.496062+00');
INSERT INTO public.schema_file VALUES ('functions/resolve_operation.sql', 'c55b8855027806b3a154f171a12b965ac024d9163504cdcacbcbe9d7e661116f', '2026-11-15 17:03:28.496749+00');
INSERT INTO public.schema_file VALUES ('functions/return_from_card.sql', '3149500183ffaec099e546755b0bf29d461688c0f15d6a8424e057e655a9e508', '2026-11-15 17:03:28.497422+00');
INSERT INTO public.schema_file VALUES ('functions/seal_entries.sql', 'e5b36d577d78268ff12d16f1c9a3a9f1d6ba89de1bef8dee2209c7cce790613c', '2026-11-15 17:03:28.498156+00');
INSERT INTO public.schema_file VALUES ('functions/settle_invoice.sql', 'cee79339174593548105c00412b9b66e5169da0f0baa9fada327aec30ac85fae', '2026-11-15 17:03:28.505112+00');
INSERT INTO public.schema_file VALUES ('functions/settle_operations.sql', '063786853309e0ed323c19e5d67f3c513f225d5f187be837e372b5e40518d7e5', '2026-11-15 17:03:28.507148+00');
INSERT INTO public.schema_file VALUES ('functions/tell_expiring_key.sql', '14846e59d4296c06d35cb47d92ff2604c530594023a8df3ec30310caa242400d', '2026-11-15 17:03:28.52503+00');
INSERT INTO public.schema_file VALUES ('functions/webhook_endpoints.sql', '6ffc49888e4d255192def3599bd46bb7bd721dc7d3d7c447ce5af475411a597d', '2026-11-15 17:03:28.527961+00');
INSERT INTO public.schema_file VALUES ('functions/webhook_lines.sql', '98252bdaab3b35bc4d14c83bd4f29a9cbd0ecae98dd642c2229712cbcbaaa66e', '2026-11-15 17:03:28.533841+00');
INSERT INTO public.schema_file VALUES ('functions/webhook_requests.sql', 'bd1cfabeae63a4075ff3cdb27748305adf30c088db4c5fe76b61095d175e34da', '2026-11-15 17:03:28.540977+00');
INSERT INTO public.schema_file VALUES ('functions/wire_json.sql', '9d9fca46335f4c878486d1d657b81e3fae2350f4a8d8c8bcd501cc9d66ab6e07', '2026-11-15 17:03:28.542213+00');

-- Data for Name: seal; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.seal VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 1, '\xb456a8832403ff2f3fac38acbb74cf6a47b99542dda2deee1228a3cdc1ff536a', '2026-03-10 12:00:00+00');
INSERT INTO public.seal VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 1, '\x532b0249aa886d77a2375daff27a016404f30e14980e53daea72410eb98f1229', '2026-03-10 12:00:00+00');
INSERT INTO public.seal VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', 21, '\xb47d63dcb629d5a587b4728f5a9dd5ccddb84cbae6ade2225d8977b4b8faf40a', '2026-03-10 13:01:40+00');
INSERT INTO public.seal VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', 5, '\x593ddd45654d01ce73411199b41ff039dd9a56c5637815b057e6b2210e2ee84c', '2026-03-10 13:01:40+00');
INSERT INTO public.seal VALUES ('019cd79e-4600-7000-800d-2306dd18e7ec', 'sandbox', 4, '\x3c4348226b39319a72e095046a626837bdef606c6c7843396f08d1830146a05d', '2026-03-10 13:01:40+00');

-- Data for Name: transaction; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.transaction VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-805a-9a08791d2278', '019cd79e-4600-7000-8025-a8bf9017863b', 'sandbox-019cd79e460070008059a80cfce01499', 'purchase', 'settled', -750, 'USD', -750, -750, 'Bücher', 'DE', '', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');
INSERT INTO public.transaction VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-805d-251a90ccd7fd', '019cd79e-4600-7000-8025-a8bf9017863b', 'sandbox-019cd79e46007000805c7195789aa412', 'refund', 'settled', 250, 'USD', 250, 250, 'Bücher', 'DE', '', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');
INSERT INTO public.transaction VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-8023-6e37c173a18b', '019cd7d6-bb20-7000-801d-3fc4df07206e', 't1', 'purchase', 'settled', -1230, 'USD', -1230, -1230, 'Books', 'DE', '', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00');
INSERT INTO public.transaction VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'live', '019cd7d6-bb20-7000-8031-83e826a468a4', '019cd7d6-bb20-7000-801d-3fc4df07206e', 't2', 'refund', 'settled', 230, 'USD', 230, 230, 'Books', 'DE', '', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00', '2026-03-10 13:01:40+00');

-- Data for Name: webhook_attempt; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8013-8946d92f61a0', '019cd79e-4600-7000-8022-aaff78b8b890', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 124, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-800b-ec943a29fcb6', '019cd79e-4600-7000-8024-a6b53fe773c6', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 2, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8023-88f8bb892a96', '019cd79e-4600-7000-8027-da3ccf4e0fad', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 25, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8023-88f8bb892a96', '019cd79e-4600-7000-8029-2b8a32548750', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 41, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8025-a8bf9017863b', '019cd79e-4600-7000-802d-249687087111', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 64, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', '019cd79e-4600-7000-802e-0812d240f3d9', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 64, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', '019cd79e-4600-7000-802f-3f1c677994b5', '019cd79e-4600-7000-8016-bd0181ab9424', 1, 500, NULL, 100, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8037-bb64f5edddcb', '019cd79e-4600-7000-803a-aa330ae59339', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 77, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8037-bb64f5edddcb', '019cd79e-4600-7000-803b-619dbd55af34', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 77, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', '019cd79e-4600-7000-8040-066d2d617195', '019cd79e-4600-7000-8016-bd0181ab9424', 1, 500, NULL, 52, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-803d-acec2e185651', '019cd79e-4600-7000-8042-98692c3bd289', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 33, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-803d-acec2e185651', '019cd79e-4600-7000-8043-83e5e5ff660a', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 33, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', '019cd79e-4600-7000-8044-83e0c0c7bbd9', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 63, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8046-bce6051dc28b', '019cd79e-4600-7000-804b-baac79c0305b', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 16, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8046-bce6051dc28b', '019cd79e-4600-7000-804c-d1245f133dc8', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 31, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-803d-acec2e185651', '019cd79e-4600-7000-804d-2ee8009e8ffb', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 31, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8046-bce6051dc28b', '019cd79e-4600-7000-804f-5571cbca0c78', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8051-0bc3cb137a67', '019cd79e-4600-7000-8053-7d576cfd818a', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 6, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8025-a8bf9017863b', '019cd79e-4600-7000-8054-7cc3684fb9ec', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 6, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8051-0bc3cb137a67', '019cd79e-4600-7000-8055-12cfcf6751de', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 6, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', '019cd79e-4600-7000-8056-6c4ecab054ef', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 7, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', '019cd79e-4600-7000-805e-390cae5b1305', '019cd79e-4600-7000-8016-bd0181ab9424', 1, 500, NULL, 21, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805a-9a08791d2278', '019cd79e-4600-7000-8061-d0d7fcf98bfd', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 14, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8025-a8bf9017863b', '019cd79e-4600-7000-8062-d90bad429a45', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 13, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-805d-251a90ccd7fd', '019cd79e-4600-7000-8063-226c32fc2091', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 2, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7004-8025-a8bf9017863b', '019cd79e-4600-7000-8064-36173f79d272', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 2, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7005-8025-a8bf9017863b', '019cd79e-4600-7000-8065-1c90670368d1', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 2, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7006-8025-a8bf9017863b', '019cd79e-4600-7000-8068-2db666da0f30', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 9, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7007-8025-a8bf9017863b', '019cd79e-4600-7000-8069-96ecb1f51d69', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 9, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7008-8025-a8bf9017863b', '019cd79e-4600-7000-806c-66a88f5f5100', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7009-8025-a8bf9017863b', '019cd79e-4600-7000-806d-b5372f0030ae', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8071-7d644fc7c3e0', '019cd79e-4600-7000-8078-a0fa54281d9a', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 13, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8073-708207fffdac', '019cd79e-4600-7000-8079-3347a4b50b9c', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 13, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8071-7d644fc7c3e0', '019cd79e-4600-7000-807a-93cdfb26218e', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 13, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', '019cd79e-4600-7000-807b-f9aea5059aba', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 13, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-700a-8025-a8bf9017863b', '019cd79e-4600-7000-807c-055e3443a832', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 26, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', '019cd79e-4600-7000-807d-f8b8af80d12c', '019cd79e-4600-7000-8016-bd0181ab9424', 1, 500, NULL, 11, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8077-6331592ef26e', '019cd79e-4600-7000-8080-83c9773b0100', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7002-8077-6331592ef26e', '019cd79e-4600-7000-8084-062416174f6f', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7001-8089-5676b9e8d9e2', '019cd7d6-bb20-7000-8001-551f92aa7a23', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8089-5676b9e8d9e2', '019cd7d6-bb20-7000-8002-c33d2e538f87', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 3, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8037-bb64f5edddcb', '019cd7d6-bb20-7000-8005-27a9a35786aa', '019cd79e-4600-7000-8016-bd0181ab9424', 2, 500, NULL, 32, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8023-88f8bb892a96', '019cd7d6-bb20-7000-8006-76b135660bd4', '019cd79e-4600-7000-8016-bd0181ab9424', 2, 500, NULL, 43, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8071-7d644fc7c3e0', '019cd7d6-bb20-7000-8007-db3d0db4731c', '019cd79e-4600-7000-8016-bd0181ab9424', 2, 500, NULL, 44, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7003-8051-0bc3cb137a67', '019cd7d6-bb20-7000-8008-51a4f7108dbd', '019cd79e-4600-7000-8016-bd0181ab9424', 2, 500, NULL, 44, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7001-8004-905810f4da83', '019cd7d6-bb20-7000-800e-e2caa9b1ef5f', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 13:01:40+00');
INSERT INTO public.webhook_attempt VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd7d6-bb20-7002-8004-905810f4da83', '019cd7d6-bb20-7000-800f-5e26baca056b', '019cd79e-4600-7000-8013-8946d92f61a0', 1, 200, NULL, 1, 'thanks', '2026-03-10 13:01:40+00');

-- Data for Name: webhook_endpoint; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.webhook_endpoint VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8013-8946d92f61a0', 'http://127.0.0.1:44527/hooks', '{*}', NULL, 'enabled', NULL, '2026-03-10 12:00:00+00');
INSERT INTO public.webhook_endpoint VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8016-bd0181ab9424', 'http://127.0.0.1:34687/hooks', '{operation.completed}', NULL, 'enabled', NULL, '2026-03-10 12:00:00+00');

-- Data for Name: webhook_line; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.webhook_line VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8013-8946d92f61a0', '2026-03-10 13:02:40+00', '2026-03-10 13:01:40+00', NULL, 0, NULL, '2026-03-10 13:01:40+00', NULL, NULL);
INSERT INTO public.webhook_line VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8016-bd0181ab9424', '2026-03-10 13:02:42+00', '2026-03-10 13:02:20+00', NULL, 8, '2026-03-10 12:00:00+00', NULL, NULL, NULL);

-- Data for Name: webhook_secret; Type: TABLE DATA; Schema: public; Owner: -

INSERT INTO public.webhook_secret VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8016-bd0181ab9424', '019cd79e-4600-7000-8017-731a04730409', '\xfc189e33982e586d56f9b235ee4c71d97e49e87131b609696734134fad60cf59423cc5a28f1b6daa512214841ddceb73577b9dd9874bc60b4afba07ba2cf983458e3233283124cde1284f9d5f20b', '857640cd9458a701', '2026-03-10 12:00:00+00', NULL);
INSERT INTO public.webhook_secret VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8013-8946d92f61a0', '019cd79e-4600-7000-8014-c78d1c98569d', '\x89ddf6276f110963240b4bc83fd9add8b773d0ae7c0431ec73cb44bb96d127a1c19b1c9ac3e720942204d4b0b9f9eea58af553a794727bce2c084b4da07a32bae93a3ba732293794ad64ab44e44f', '857640cd9458a701', '2026-03-10 12:00:00+00', '2026-03-11 12:00:00+00');
INSERT INTO public.webhook_secret VALUES ('019cd79e-4600-7000-8001-4283adf3bd7a', 'sandbox', '019cd79e-4600-7000-8013-8946d92f61a0', '019cd79e-4600-7000-8019-a4dbde4d8645', '\x081565443a461550a3c1337a0ed4d43b56502715fff5120c49cdb9097a34a583c9984e9760fda8c766a48721433524de585622a77bbbf0cd4f5a97f251cf843e6acbd7a53a4cfb0fe2655694eda6', '857640cd9458a701', '2026-03-10 12:00:00+00', NULL);

-- Data for Name: arrival; Type: TABLE DATA; Schema: reference_issuer; Owner: -

INSERT INTO reference_issuer.arrival OVERRIDING SYSTEM VALUE VALUES (1, '07f187f8-1fb1-4962-84ab-c66713336bf4', 'invoice', 'normal', '2026-03-10 12:00:00+00');

-- Data for Name: event; Type: TABLE DATA; Schema: reference_issuer; Owner: -

INSERT INTO reference_issuer.event VALUES ('evt-1', '{}', 'waiting', 0, '2026-03-10 12:00:00+00', '2026-03-10 12:00:00+00');

-- Data for Name: payment; Type: TABLE DATA; Schema: reference_issuer; Owner: -

INSERT INTO reference_issuer.payment VALUES ('pay-1', '07f187f8-1fb1-4962-84ab-c66713336bf4', 1000000, '2026-03-10 12:00:00+00');

-- Data for Name: request; Type: TABLE DATA; Schema: reference_issuer; Owner: -

INSERT INTO reference_issuer.request VALUES ('07f187f8-1fb1-4962-84ab-c66713336bf4', '019cd79e-4600-7000-8001-4283adf3bd7a', 'invoice', '{}', '{}', '2026-03-10 12:00:00+00');

SELECT pg_catalog.setval('reference_issuer.arrival_number_seq', 1, true);

ALTER TABLE ONLY public.access_version
    ADD CONSTRAINT access_version_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (company_id, environment);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (company_id, id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.card_change
    ADD CONSTRAINT card_change_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.card
    ADD CONSTRAINT card_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.company
    ADD CONSTRAINT company_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (company_id, environment, event_id, endpoint_id);

ALTER TABLE ONLY public.deposit
    ADD CONSTRAINT deposit_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (company_id, environment, number);

ALTER TABLE ONLY public.event_counter
    ADD CONSTRAINT event_counter_pkey PRIMARY KEY (company_id, environment, object_id);

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.exchange
    ADD CONSTRAINT exchange_pkey PRIMARY KEY (company_id, environment, operation_id, id);

ALTER TABLE ONLY public.holder
    ADD CONSTRAINT holder_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_company_id_environment_idempotency_key_key UNIQUE (company_id, environment, idempotency_key);

ALTER TABLE ONLY public.invoice_payment
    ADD CONSTRAINT invoice_payment_pkey PRIMARY KEY (company_id, environment, payment_key);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.issuer_event
    ADD CONSTRAINT issuer_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operation
    ADD CONSTRAINT operation_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.operator_token
    ADD CONSTRAINT operator_token_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.operator_token
    ADD CONSTRAINT operator_token_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pay_link
    ADD CONSTRAINT pay_link_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY public.payment_review
    ADD CONSTRAINT payment_review_company_id_environment_payment_key_key UNIQUE (company_id, environment, payment_key);

ALTER TABLE ONLY public.payment_review
    ADD CONSTRAINT payment_review_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.payment_slot
    ADD CONSTRAINT payment_slot_pkey PRIMARY KEY (address, pay_amount);

ALTER TABLE ONLY public.price
    ADD CONSTRAINT price_pkey PRIMARY KEY (product_id, operation_type);

ALTER TABLE ONLY public.product
    ADD CONSTRAINT product_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.sandbox_card_effect
    ADD CONSTRAINT sandbox_card_effect_pkey PRIMARY KEY (company_id, token);

ALTER TABLE ONLY public.sandbox_effect
    ADD CONSTRAINT sandbox_effect_pkey PRIMARY KEY (company_id, token);

ALTER TABLE ONLY public.schema_file
    ADD CONSTRAINT schema_file_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.seal
    ADD CONSTRAINT seal_pkey PRIMARY KEY (company_id, environment, number);

ALTER TABLE ONLY public.transaction
    ADD CONSTRAINT transaction_company_id_environment_issuer_id_key UNIQUE (company_id, environment, issuer_id);

ALTER TABLE ONLY public.transaction
    ADD CONSTRAINT transaction_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.webhook_attempt
    ADD CONSTRAINT webhook_attempt_pkey PRIMARY KEY (company_id, environment, event_id, id);

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_pkey PRIMARY KEY (company_id, environment, id);

ALTER TABLE ONLY public.webhook_line
    ADD CONSTRAINT webhook_line_pkey PRIMARY KEY (company_id, environment, endpoint_id);

ALTER TABLE ONLY public.webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (company_id, environment, endpoint_id, id);

ALTER TABLE ONLY reference_issuer.arrival
    ADD CONSTRAINT arrival_pkey PRIMARY KEY (number);

ALTER TABLE ONLY reference_issuer.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reference_issuer.payment
    ADD CONSTRAINT payment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY reference_issuer.request
    ADD CONSTRAINT request_pkey PRIMARY KEY (token);

CREATE INDEX api_key_expiring ON public.api_key USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (expiry_told_at IS NULL) AND (revoked_at IS NULL));

CREATE INDEX audit_log_by_company ON public.audit_log USING btree (company_id, id);

CREATE INDEX card_by_holder ON public.card USING btree (company_id, environment, holder_id, id) WHERE (holder_id IS NOT NULL);

CREATE INDEX card_change_due ON public.card_change USING btree (due_at, id) WHERE (status = 'processing'::text);

CREATE INDEX card_change_in_review ON public.card_change USING btree (id) WHERE (status = 'manual_review'::text);

CREATE UNIQUE INDEX card_change_open ON public.card_change USING btree (company_id, environment, card_id) WHERE (status = ANY (ARRAY['processing'::text, 'manual_review'::text]));

CREATE INDEX card_unusual ON public.card USING btree (company_id, environment, status, id) WHERE (status <> 'active'::text);

CREATE INDEX delivery_pending ON public.delivery USING btree (company_id, environment, endpoint_id, due_at, event_id) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX deposit_key ON public.deposit USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX entry_charges_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = 'fee'::text);

CREATE UNIQUE INDEX entry_deposits_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = 'deposit'::text);

CREATE UNIQUE INDEX entry_ends_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = ANY (ARRAY['capture'::text, 'release'::text]));

CREATE UNIQUE INDEX entry_returns_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = 'adjustment'::text);

CREATE INDEX event_queued_again ON public.event USING btree (company_id, environment, id) WHERE (type = 'operation.queued'::text);

CREATE UNIQUE INDEX holder_key ON public.holder USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX invoice_creating ON public.invoice USING btree (due_at) WHERE (status = 'creating'::text);

CREATE INDEX invoice_in_review ON public.invoice USING btree (id) WHERE (status = 'manual_review'::text);

CREATE INDEX invoice_payment_by_invoice ON public.invoice_payment USING btree (company_id, environment, invoice_id, recorded_at);

CREATE INDEX invoice_pending ON public.invoice USING btree (expires_at) WHERE (status = 'pending'::text);

CREATE UNIQUE INDEX invoice_unresolved ON public.invoice USING btree (company_id, environment) WHERE ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'manual_review'::text])) AND (NOT reopened));

CREATE INDEX operation_by_card ON public.operation USING btree (company_id, environment, card_id, id) WHERE (card_id IS NOT NULL);

CREATE INDEX operation_in_review ON public.operation USING btree (id) WHERE (status = 'manual_review'::text);

CREATE UNIQUE INDEX operation_key ON public.operation USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX operation_processing ON public.operation USING btree (due_at, id) WHERE (status = 'processing'::text);

CREATE INDEX operation_queued ON public.operation USING btree (due_at, id) WHERE (status = 'queued'::text);

CREATE INDEX operation_unusual ON public.operation USING btree (company_id, environment, status, id) WHERE (status = ANY (ARRAY['failed'::text, 'manual_review'::text]));

CREATE INDEX payment_review_by_invoice ON public.payment_review USING btree (company_id, environment, invoice_id);

CREATE INDEX payment_review_open ON public.payment_review USING btree (id) WHERE (status = 'manual_review'::text);

CREATE INDEX payment_slot_by_invoice ON public.payment_slot USING btree (company_id, environment, invoice_id);

CREATE INDEX transaction_by_card ON public.transaction USING btree (company_id, environment, card_id, occurred_at, id);

CREATE INDEX transaction_by_time ON public.transaction USING btree (company_id, environment, occurred_at, id);

CREATE INDEX transaction_unusual_status ON public.transaction USING btree (company_id, environment, status, occurred_at, id) WHERE (status <> 'settled'::text);

CREATE INDEX transaction_unusual_type ON public.transaction USING btree (company_id, environment, type, occurred_at, id) WHERE (type <> 'purchase'::text);

CREATE INDEX webhook_line_failing ON public.webhook_line USING btree (GREATEST(due_at, not_before)) WHERE ((due_at IS NOT NULL) AND (failures > 0));

CREATE INDEX webhook_line_ready ON public.webhook_line USING btree (GREATEST(due_at, not_before)) WHERE ((due_at IS NOT NULL) AND (failures = 0));

CREATE INDEX webhook_line_recovering ON public.webhook_line USING btree (endpoint_id) WHERE (recover_after IS NOT NULL);

CREATE INDEX arrival_by_token ON reference_issuer.arrival USING btree (token);

CREATE INDEX event_waiting ON reference_issuer.event USING btree (due_at) WHERE (status = 'waiting'::text);

CREATE INDEX payment_by_token ON reference_issuer.payment USING btree (token);

CREATE INDEX request_by_company ON reference_issuer.request USING btree (company_id, token);

CREATE TRIGGER api_key_changed AFTER DELETE OR UPDATE OF expires_at, revoked_at, scopes, allowed_cidrs ON public.api_key FOR EACH STATEMENT EXECUTE FUNCTION public.bump_access_version();

CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER company_changed AFTER UPDATE ON public.company FOR EACH STATEMENT EXECUTE FUNCTION public.bump_access_version();

CREATE TRIGGER entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER exchange_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.exchange FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER invoice_transition BEFORE UPDATE OF status ON public.invoice FOR EACH ROW EXECUTE FUNCTION public.check_invoice_transition();

CREATE TRIGGER issuer_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.issuer_event FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER operator_token_changed AFTER INSERT OR DELETE OR UPDATE ON public.operator_token FOR EACH STATEMENT EXECUTE FUNCTION public.bump_access_version();

CREATE TRIGGER product_stays BEFORE DELETE OR TRUNCATE ON public.product FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_removal();

CREATE TRIGGER seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seal FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.company(id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.company(id);

ALTER TABLE ONLY public.card_change
    ADD CONSTRAINT card_change_company_id_environment_card_id_fkey FOREIGN KEY (company_id, environment, card_id) REFERENCES public.card(company_id, environment, id);

ALTER TABLE ONLY public.card
    ADD CONSTRAINT card_company_id_environment_holder_id_fkey FOREIGN KEY (company_id, environment, holder_id) REFERENCES public.holder(company_id, environment, id);

ALTER TABLE ONLY public.holder
    ADD CONSTRAINT holder_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.company(id);

ALTER TABLE ONLY public.invoice
    ADD CONSTRAINT invoice_company_id_environment_fkey FOREIGN KEY (company_id, environment) REFERENCES public.account(company_id, environment);

ALTER TABLE ONLY public.invoice_payment
    ADD CONSTRAINT invoice_payment_company_id_environment_invoice_id_fkey FOREIGN KEY (company_id, environment, invoice_id) REFERENCES public.invoice(company_id, environment, id);

ALTER TABLE ONLY public.payment_review
    ADD CONSTRAINT payment_review_company_id_environment_invoice_id_fkey FOREIGN KEY (company_id, environment, invoice_id) REFERENCES public.invoice(company_id, environment, id);

ALTER TABLE ONLY public.price
    ADD CONSTRAINT price_product_id_fkey FOREIGN KEY (product_id) REFERENCES public.product(id);

ALTER TABLE ONLY public.transaction
    ADD CONSTRAINT transaction_company_id_environment_card_id_fkey FOREIGN KEY (company_id, environment, card_id) REFERENCES public.card(company_id, environment, id);

ALTER TABLE ONLY public.webhook_endpoint
    ADD CONSTRAINT webhook_endpoint_company_id_environment_fkey FOREIGN KEY (company_id, environment) REFERENCES public.account(company_id, environment);

ALTER TABLE ONLY public.webhook_line
    ADD CONSTRAINT webhook_line_company_id_environment_endpoint_id_fkey FOREIGN KEY (company_id, environment, endpoint_id) REFERENCES public.webhook_endpoint(company_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook_secret
    ADD CONSTRAINT webhook_secret_company_id_environment_endpoint_id_fkey FOREIGN KEY (company_id, environment, endpoint_id) REFERENCES public.webhook_endpoint(company_id, environment, id) ON DELETE CASCADE;

ALTER TABLE ONLY reference_issuer.payment
    ADD CONSTRAINT payment_token_fkey FOREIGN KEY (token) REFERENCES reference_issuer.request(token);
