-- Returns whether sessions compile their statements (JIT): this session, and those that Citus opens on its workers.
-- Called by cli/maintenance/doctor/queries.ts.
create or replace function list_jit_settings() returns table (node text, value text)
language plpgsql as $$
begin
  return query select null, current_setting('jit');
  if to_regproc('run_command_on_workers') is null then return; end if;
  return query execute $workers$select r.nodename || ':' || r.nodeport, r.result from run_command_on_workers('show jit') r where r.success$workers$;
end $$;
