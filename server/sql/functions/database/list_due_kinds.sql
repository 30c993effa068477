-- Returns the names of the jobs that have something to do, on any node of Citus that answers. One statement for all jobs, so that
-- an idle server asks the nodes once a second. It exists on PostgreSQL too, but is not called there.
-- Called by worker/queries.ts.
create or replace function list_due_kinds(p_now timestamptz) returns setof text
language plpgsql as $$
begin
  return query
    select distinct k.kind
    from run_command_on_all_nodes(format('select %I.kinds_here(%L)', current_schema(), p_now)) r
    cross join lateral jsonb_array_elements_text(case when r.success then r.result::jsonb else '[]' end) as k (kind);
end $$;
