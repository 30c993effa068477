-- The hash chain over an account's entries. Each value is the SHA-256 of the previous value and the entry's text, so
-- that changing, adding or removing any entry changes every later value.

create or replace function chain_start(p_company uuid, p_environment environment) returns bytea
language sql immutable as $$
  select sha256(convert_to('cardstock ledger ' || p_company || ' ' || p_environment, 'UTF8'))
$$;

create or replace function chain_next(p_hash bytea, p_entry entry) returns bytea
language sql stable as $$
  select sha256(p_hash || convert_to(concat_ws('|', p_entry.number, p_entry.kind, p_entry.reference, p_entry.available_delta,
    p_entry.held_delta, p_entry.balance, p_entry.held, (extract(epoch from p_entry.created_at) * 1000)::bigint), 'UTF8'))
$$;

-- The value after entry p_to, given the value after entry p_from. Null when an entry between them is missing.
create or replace function chain_over(p_company uuid, p_environment environment, p_from bigint, p_hash bytea, p_to bigint) returns bytea
language plpgsql stable as $$
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

-- Seals the next stretch of at most p_limit entries. Two sealers at once compute the same value: one row remains.
create or replace function seal_entries(p_company uuid, p_now timestamptz, p_environment environment, p_limit bigint) returns bigint
language plpgsql as $$
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
