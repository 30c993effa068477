-- Returns companies with work of a kind that is due, all on one node, chosen at random among the nodes that have any. One node at a
-- time, so that what follows is a transaction on that node alone, and a node that is down holds up only its own companies.
-- Called by the functions of this folder that claim.
create or replace function due_companies(p_kind text, p_environment environment, p_now timestamptz) returns uuid[]
language plpgsql as $$
declare
  v_found jsonb;
begin
  select r.result::jsonb into v_found
  from run_command_on_all_nodes(format('select %I.due_here(%L, %L, %L)', current_schema(), p_kind, p_environment, p_now)) r
  where r.success and r.result <> '[]' order by random() limit 1;
  return array(select c.id::uuid from jsonb_array_elements_text(coalesce(v_found, '[]')) as c (id));
end $$;
