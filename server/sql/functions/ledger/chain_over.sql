-- Returns the value of the hash chain after entry p_to, given the value after entry p_from, or null when an entry between them is
-- missing. The value after an entry is the SHA-256 of the value before it and the entry's text. Statements verify against this text, so it
-- never changes: reference_type, added later, is not part of it. The query writes the text, because a function called for each entry takes
-- half as long again.
-- Called by audit_account, chain_at and seal_entries.
create or replace function chain_over(p_company uuid, p_environment environment, p_from bigint, p_hash bytea, p_to bigint) returns bytea
language plpgsql stable as $$
declare
  v_number bigint;
  v_text text;
  v_last bigint := p_from;
begin
  for v_number, v_text in
    select e.number, concat_ws('|', e.number, e.kind, e.reference, e.available_delta, e.held_delta, e.balance, e.held,
                               (extract(epoch from e.created_at) * 1000)::bigint)
    from entry e where e.company_id = p_company and e.environment = p_environment and e.number > p_from and e.number <= p_to
    order by e.number
  loop
    if v_number <> v_last + 1 then return null; end if;
    v_last := v_number;
    p_hash := sha256(p_hash || convert_to(v_text, 'UTF8'));
  end loop;
  return case when v_last = p_to then p_hash end;
end $$;
