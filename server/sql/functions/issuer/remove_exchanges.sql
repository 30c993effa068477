-- Deletes the exchanges with the issuer about objects that are decided. A trigger refuses it for an object that is open.
-- Not on Citus: sql/citus/functions has another text.
-- Called by erase_card_changes, erase_operations and prune_exchanges.
create or replace function remove_exchanges(p_company uuid, p_environment environment, p_objects uuid[]) returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  perform set_config('cardstock.erasing', 'on', true);
  delete from exchange x where x.company_id = p_company and x.environment = p_environment and x.object_id = any (p_objects);
  perform set_config('cardstock.erasing', 'off', true);
end $$;
