-- Returns the companies with work of a kind that is due, of the shards on this node, as a JSON array; at most 50 per shard. It reads
-- the shards themselves, so that no other node is asked.
-- Called by due_companies, on every node.
create or replace function due_here(p_kind text, p_environment environment, p_now timestamptz) returns jsonb
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_shard text;
  v_condition text;
  v_some jsonb;
  v_companies jsonb := '[]';
begin
  for v_shard, v_condition in
    select s.name, k.condition from due_kinds() k cross join lateral shards_here(k.place) as s (name) where k.kind = p_kind
  loop
    -- Steps from company to company, so that the backlog of one hides no other.
    execute format('with recursive c (company_id) as (
        (select company_id from %1$s where environment = $1 and %2$s order by company_id limit 1)
        union all
        select (select n.company_id from %1$s n where n.company_id > c.company_id and environment = $1 and %2$s order by n.company_id limit 1)
        from c where c.company_id is not null
      )
      select jsonb_agg(f.company_id) from (select c.company_id from c where c.company_id is not null limit 50) f', v_shard, v_condition)
    into v_some using p_environment, p_now;
    v_companies := v_companies || coalesce(v_some, '[]');
  end loop;
  return v_companies;
end $$;
