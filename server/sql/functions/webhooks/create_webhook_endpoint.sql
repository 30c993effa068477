-- Creates an endpoint with its delivery queue and its first secret. Returns false when the company already has p_limit
-- endpoints; the account's lock makes concurrent calls count each other.
-- Called by webhooks/queries.ts.
create or replace function create_webhook_endpoint(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text,
  p_secret_id uuid, p_ciphertext bytea, p_key_id text, p_limit integer
) returns boolean
language plpgsql as $$
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;
  if (select count(*) from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment) >= p_limit then
    return false;
  end if;
  update account a set has_endpoints = true
  where a.company_id = p_company and a.environment = p_environment and not a.has_endpoints;
  insert into webhook_endpoint (company_id, environment, id, url, events, description, created_at)
  values (p_company, p_environment, p_id, p_url, p_events, p_description, p_now);
  insert into delivery_queue (company_id, environment, endpoint_id, not_before) values (p_company, p_environment, p_id, p_now);
  insert into webhook_secret (company_id, environment, endpoint_id, id, ciphertext, key_id, created_at)
  values (p_company, p_environment, p_id, p_secret_id, p_ciphertext, p_key_id, p_now);
  return true;
end $$;
