-- Deletes the exchanges with the issuer about objects that are decided. It refuses to do so for an object that is open, because a trigger
-- cannot read other tables on Citus.
-- Called by erase_card_changes, erase_operations and prune_exchanges.
create or replace function remove_exchanges(p_company uuid, p_environment environment, p_objects uuid[]) returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  perform from operation o
  where o.company_id = p_company and o.environment = p_environment and o.id = any (p_objects)
    and o.status not in ('completed', 'failed')
  union all
  select from card_change c
  where c.company_id = p_company and c.environment = p_environment and c.id = any (p_objects)
    and c.status not in ('completed', 'failed')
  union all
  select from invoice i
  where i.company_id = p_company and i.environment = p_environment and i.id = any (p_objects)
    and i.status not in ('completed', 'failed', 'expired');
  if found then
    raise exception 'exchange is append-only while its object is open' using errcode = 'restrict_violation';
  end if;
  perform set_config('cardstock.erasing', 'on', true);
  -- The trigger is on the company's node, where only a propagated setting is seen.
  perform set_config('citus.propagate_set_commands', 'local', true);
  set local cardstock.erasing = 'on';
  delete from exchange x where x.company_id = p_company and x.environment = p_environment and x.object_id = any (p_objects);
  perform set_config('cardstock.erasing', 'off', true);
  set local cardstock.erasing = 'off';
end $$;
