-- Returns the companies with work of a kind that is due, of the shards on this node, as a JSON array; at most 50 per shard. The
-- kinds have the names of the jobs. It reads the shards themselves, so that no other node is asked.
-- Called by due_companies and list_due_kinds, on every node.
create or replace function due_here(p_kind text, p_environment environment, p_now timestamptz) returns jsonb
language plpgsql stable
set enable_seqscan = off
as $$
declare
  v_table text := case
    when p_kind in ('operations', 'look-ups') then 'open_operation'
    when p_kind = 'card changes' then 'card_change'
    when p_kind in ('invoice look-ups', 'invoice expiry') then 'invoice'
    when p_kind = 'erasures' then 'erasure'
    else 'delivery_queue'
  end;
  v_condition text := case p_kind
    when 'operations' then 'status = ''queued'' and environment = $1 and due_at <= $2'
    when 'look-ups' then 'status = ''processing'' and environment = $1 and due_at <= $2'
    when 'card changes' then 'status = ''processing'' and environment = $1 and due_at <= $2'
    when 'invoice look-ups' then 'status = ''creating'' and environment = $1 and due_at <= $2'
    when 'invoice expiry' then 'status = ''pending'' and environment = $1 and expires_at <= $2'
    when 'erasures' then 'environment = $1 and due_at <= $2'
    when 'webhooks' then 'environment = $1 and due_at is not null and failures = 0 and greatest(due_at, not_before) <= $2'
    when 'failing-webhooks' then 'environment = $1 and due_at is not null and failures > 0 and greatest(due_at, not_before) <= $2'
    when 'recoveries' then 'environment = $1 and recover_after is not null'
  end;
  v_shard text;
  v_some jsonb;
  v_companies jsonb := '[]';
begin
  for v_shard in
    select shard_name(s.logicalrelid, s.shardid) from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid and p.groupid = (select l.groupid from pg_dist_local_group l)
    where s.logicalrelid = v_table::regclass
  loop
    -- Steps from company to company, so that the backlog of one hides no other.
    execute format('with recursive c (company_id) as (
        (select company_id from %1$s where %2$s order by company_id limit 1)
        union all
        select (select n.company_id from %1$s n where n.company_id > c.company_id and %2$s order by n.company_id limit 1)
        from c where c.company_id is not null
      )
      select jsonb_agg(f.company_id) from (select c.company_id from c where c.company_id is not null limit 50) f', v_shard, v_condition)
    into v_some using p_environment, p_now;
    v_companies := v_companies || coalesce(v_some, '[]');
  end loop;
  return v_companies;
end $$;
