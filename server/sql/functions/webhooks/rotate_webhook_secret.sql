-- Adds a new secret, which signs at once. The old ones go on signing until p_old_until, or until their earlier end. At most
-- three old ones are kept, because each one makes the signature header longer.
-- Called by webhooks/queries.ts.
create or replace function rotate_webhook_secret(
  p_company uuid, p_now timestamptz, p_environment environment, p_endpoint uuid, p_id uuid, p_ciphertext bytea, p_key_id text, p_old_until timestamptz
) returns boolean
language plpgsql as $$
begin
  perform lock_delivery_queues(array[p_company], array[p_environment], array[p_endpoint]);
  if not exists (select from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_endpoint) then
    return false;
  end if;
  update webhook_secret s set expires_at = least(s.expires_at, p_old_until)
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint;
  delete from webhook_secret s
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint
    and s.id not in (
      select k.id from webhook_secret k
      where k.company_id = p_company and k.environment = p_environment and k.endpoint_id = p_endpoint and k.expires_at > p_now
      order by k.id desc limit 3);
  insert into webhook_secret (company_id, environment, endpoint_id, id, ciphertext, key_id, created_at)
  values (p_company, p_environment, p_endpoint, p_id, p_ciphertext, p_key_id, p_now);
  return true;
end $$;
