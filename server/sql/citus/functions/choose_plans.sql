-- Does nothing: Citus plans a statement for the company in its parameters, each time.
-- Called by the functions that call it on PostgreSQL.
create or replace function choose_plans(p_table regclass) returns void
language plpgsql as $$
begin
  null;
end $$;
