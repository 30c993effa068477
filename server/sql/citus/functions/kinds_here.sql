-- Returns the kinds of work that are due on the shards of this node, as a JSON array. One statement for each kind, because planning
-- one for each shard took longer than running it.
-- Called by list_due_kinds, on every node.
create or replace function kinds_here(p_now timestamptz) returns jsonb
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_kind text;
  v_parts text;
  v_is_due boolean;
  v_kinds jsonb := '[]';
begin
  for v_kind, v_parts in
    select k.kind, (select string_agg(format('exists (select from %s where %s)', s.name, k.condition), ' or ') from shards_here(k.place) as s (name))
    from due_kinds() k
  loop
    continue when v_parts is null;
    execute 'select ' || v_parts into v_is_due using null::environment, p_now;
    if v_is_due then v_kinds := v_kinds || to_jsonb(v_kind); end if;
  end loop;
  return v_kinds;
end $$;
