-- Returns entries of an account as the lines of an archive file, which docs/ledger.md describes. The first eight fields of a line are
-- those that the hash chain covers, in its order. Called for some entries at a time, because it is one text.
-- Called by archive/queries.ts.
create or replace function archive_lines(p_company uuid, p_environment environment, p_first bigint, p_last bigint) returns text
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_lines text;
begin
  select string_agg(format(
    '{"number":%s,"kind":"%s","reference":"%s","availableDelta":%s,"heldDelta":%s,"balance":%s,"held":%s,"createdAt":%s,"referenceType":"%s"}',
    e.number, e.kind, e.reference, e.available_delta, e.held_delta, e.balance, e.held,
    (extract(epoch from e.created_at) * 1000)::bigint, e.reference_type), E'\n' order by e.number)
  into v_lines
  from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number >= p_first and e.number <= p_last;
  return v_lines;
end $$;
