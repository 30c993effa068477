-- Returns the value of the hash chain after entry p_to, given the value after entry p_from, or null when an entry between them is
-- missing.
-- Called by audit_account, chain_at and seal_entries.
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
