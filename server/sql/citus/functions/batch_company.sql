-- Returns the company of a batch, all of whose items must be of one company on Citus. An empty batch has a company that does not exist, so
-- that it concerns one node and no row.
-- Called by the functions that call it on PostgreSQL.
create or replace function batch_company(p_companies uuid[]) returns uuid
language plpgsql immutable as $$
begin
  if p_companies[1] <> any (p_companies) then raise 'a batch is of one company'; end if;
  return coalesce(p_companies[1], '00000000-0000-0000-0000-000000000000');
end $$;
