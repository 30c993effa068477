-- Deletes the exchanges with the issuer about objects that are decided. A trigger refuses it for an object that is open.
-- Called by erase_card_changes, erase_operations and prune_exchanges.
create or replace function remove_exchanges(p_company uuid, p_environment environment, p_objects uuid[]) returns void
language plpgsql
set enable_seqscan = off
as $$
begin
  perform set_config('cardstock.erasing', 'on', true);
  -- The trigger is on the company's node, where only a propagated setting is seen.
  -- citus: perform set_config('citus.propagate_set_commands', 'local', true);
  -- citus: set local cardstock.erasing = 'on';
  delete from exchange x where x.company_id = p_company and x.environment = p_environment and x.object_id = any (p_objects);
  perform set_config('cardstock.erasing', 'off', true);
  -- citus: set local cardstock.erasing = 'off';
end $$;
