-- Extends the hash chain over the next p_limit entries at most and stores the value after the last of them: a seal covers the
-- range of entries since the seal before it. Returns how many entries it covers. Concurrent calls compute the same value,
-- and one row remains.
-- Called by ledger/queries.ts.
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
  -- An entry is missing. The audit reports it; the other accounts must still be sealed.
  if v_hash is null then return 0; end if;
  insert into seal (company_id, environment, number, hash, sealed_at)
  values (p_company, p_environment, v_to, v_hash, p_now)
  on conflict (company_id, environment, number) do nothing;
  return v_to - v_from;
end $$;
