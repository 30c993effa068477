-- Returns the value of the hash chain after an entry, computed from the newest seal before it or from the start of the chain.
-- Called by account_statement.
create or replace function chain_at(p_company uuid, p_environment environment, p_number bigint) returns bytea
language plpgsql stable
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_seal seal;
begin
  select * into v_seal from seal s
  where s.company_id = p_company and s.environment = p_environment and s.number <= p_number order by s.number desc limit 1;
  return chain_over(p_company, p_environment, coalesce(v_seal.number, 0), coalesce(v_seal.hash, chain_start(p_company, p_environment)), p_number);
end $$;
