-- Emits api_key.expiring for one key that expires before p_until and for which it was not emitted yet. Returns whether there
-- was one. It handles one key per transaction, because emitting locks delivery queues. Across companies: it takes any key.
-- Called by events/queries.ts.
create or replace function tell_expiring_key(p_now timestamptz, p_until timestamptz) returns boolean
language plpgsql
set jit = off
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_key api_key;
begin
  select * into v_key from api_key k
  where k.expires_at is not null and k.expiry_told_at is null and k.revoked_at is null and k.expires_at > p_now and k.expires_at <= p_until
  order by k.expires_at limit 1 for no key update skip locked;
  if v_key.id is null then return false; end if;
  update api_key k set expiry_told_at = p_now where k.company_id = v_key.company_id and k.id = v_key.id;
  perform emit_event(v_key.company_id, v_key.environment, 'api_key.expiring', v_key.id, api_key_json(v_key), p_now);
  return true;
end $$;
