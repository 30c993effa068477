-- Returns about how many records the request log has, as PostgreSQL counts them while it writes. On Citus it adds up the shards of the
-- nodes that answer. Counting the rows themselves would read all of them.
-- Called by request-log/queries.ts.
create or replace function count_request_logs() returns bigint
language plpgsql as $$
declare
  v_count bigint;
begin
  select s.n_live_tup into v_count from pg_stat_user_tables s where s.relid = 'request_log'::regclass;
  if to_regproc('run_command_on_all_nodes') is not null then
    execute $nodes$
      select sum(r.result::bigint) from run_command_on_all_nodes(format(
        'select coalesce(sum(s.n_live_tup), 0) from pg_stat_user_tables s where s.schemaname = %L and s.relname ~ ''^request_log_[0-9]+$''',
        current_schema())) r where r.success$nodes$ into v_count;
  end if;
  return coalesce(v_count, 0);
end $$;
