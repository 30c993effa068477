-- Returns the names of a table's shards on this node.
-- Called by due_here and kinds_here.
create or replace function shards_here(p_table text) returns setof text
language plpgsql stable as $$
begin
  return query
    select shard_name(s.logicalrelid, s.shardid) from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid and p.groupid = (select l.groupid from pg_dist_local_group l)
    where s.logicalrelid = p_table::regclass;
end $$;
