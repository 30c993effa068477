-- Accepts one operation: the same decisions and the same result as accept_operations for a batch of one. An idle server takes
-- this path; under load requests arrive together. It is a function of its own because accept_operations with one item takes 1.3
-- times as long (median of 400 interleaved rounds, without waiting for the disk). operation_refusal decides for both, and a
-- property test compares their verdicts. Processes of the previous release do not pass p_creator.
-- Called by ledger/queries.ts.
create or replace function accept_operation(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_key text, p_digest text, p_type text,
  p_product text, p_amount bigint, p_fee bigint, p_holder uuid, p_card uuid, p_name text, p_recipient text, p_quota integer,
  p_creator text default null
) returns table (
  item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamptz
)
language plpgsql
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
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
      -- Searches by order; find_operations_by_key explains why.
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
    select case when c.pending_status is null then c.status else 'changing' end into v_status from card c
    where c.company_id = p_company and c.environment = p_environment and c.id = p_card;
  end if;
  v_issued := case
    when v_account.issued_month < v_month then 0
    when v_account.issued_month = v_month then v_account.issued_count
    when p_quota is not null then count_issues(p_company, p_environment, v_month)
  end;
  verdict := operation_refusal(p_type, p_holder, p_card, v_status, v_issued, p_quota, v_total, v_account.available);
  if verdict is not null then
    item := 1;
    available := v_account.available;
    return next;
    return;
  end if;

  insert into operation (company_id, environment, id, type, status, amount, fee, product_id, holder_id, card_id, name, recipient,
                         idempotency_key, request_digest, created_at, status_at, due_at, created_by)
  values (p_company, p_environment, p_id, p_type, 'queued', p_amount, p_fee, p_product, p_holder, p_card, v_name, p_recipient,
          p_key, decode(p_digest, 'hex'), p_now, p_now, p_now, p_creator);
  insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
  values (p_company, p_environment, p_id, p_type, 'queued', p_now, v_total);
  if p_card is not null then
    insert into card_operation (company_id, environment, card_id, id) values (p_company, p_environment, p_card, p_id);
  end if;
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
