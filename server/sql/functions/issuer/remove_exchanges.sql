-- Deletes the exchanges with the issuer about objects that are decided. A trigger refuses it for an object that is open; on Citus,
-- where a trigger cannot read other tables, this function does.
-- Called by erase_card_changes, erase_operations and prune_exchanges.
create or replace function remove_exchanges(p_company uuid, p_environment environment, p_objects uuid[]) returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  -- citus: perform from operation o
  -- citus: where o.company_id = p_company and o.environment = p_environment and o.id = any (p_objects)
  -- citus:   and o.status not in ('completed', 'failed')
  -- citus: union all
  -- citus: select from card_change c
  -- citus: where c.company_id = p_company and c.environment = p_environment and c.id = any (p_objects)
  -- citus:   and c.status not in ('completed', 'failed')
  -- citus: union all
  -- citus: select from invoice i
  -- citus: where i.company_id = p_company and i.environment = p_environment and i.id = any (p_objects)
  -- citus:   and i.status not in ('completed', 'failed', 'expired');
  -- citus: if found then
  -- citus:   raise exception 'exchange is append-only while its object is open' using errcode = 'restrict_violation';
  -- citus: end if;
  perform set_config('cardstock.erasing', 'on', true);
  -- The trigger is on the company's node, where only a propagated setting is seen.
  -- citus: perform set_config('citus.propagate_set_commands', 'local', true);
  -- citus: set local cardstock.erasing = 'on';
  delete from exchange x where x.company_id = p_company and x.environment = p_environment and x.object_id = any (p_objects);
  perform set_config('cardstock.erasing', 'off', true);
  -- citus: set local cardstock.erasing = 'off';
end $$;
