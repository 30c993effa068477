-- Deletes entries of an account from p_first to p_last, some at a time. A trigger refuses it if one of them is not archived.
-- Called by archive/queries.ts.
create or replace function delete_archived_entries(p_company uuid, p_environment environment, p_first bigint, p_last bigint) returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  delete from entry e
  where e.company_id = p_company and e.environment = p_environment and e.number >= p_first and e.number <= p_last;
end $$;
