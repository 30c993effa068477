-- Changes of webhook endpoints. Whoever touches an endpoint locks its line first (create: the account).

-- An endpoint on the wire, for events: the same keys and values as toEndpoint in webhooks/schema.ts.
create or replace function webhook_endpoint_json(p_company uuid, p_environment environment, p_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', 'we_' || replace(e.id::text, '-', ''),
    'url', e.url,
    'events', e.events,
    'description', e.description,
    'status', e.status,
    'disabledReason', e.disabled_reason,
    'health', jsonb_build_object(
      'lastSuccessAt', to_char(l.last_success_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'failingSince', to_char(l.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'failures', l.failures),
    'environment', e.environment,
    'createdAt', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from webhook_endpoint e
  join webhook_line l on l.company_id = e.company_id and l.environment = e.environment and l.endpoint_id = e.id
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id
$$;

-- False when the company has p_limit endpoints already. The account's lock makes two at once count each other.
create or replace function create_webhook_endpoint(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text,
  p_secret_id uuid, p_sealed bytea, p_key_id text, p_limit integer
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
  insert into webhook_line (company_id, environment, endpoint_id, not_before) values (p_company, p_environment, p_id, p_now);
  insert into webhook_secret (company_id, environment, endpoint_id, id, sealed, key_id, created_at)
  values (p_company, p_environment, p_id, p_secret_id, p_sealed, p_key_id, p_now);
  return true;
end $$;

-- What is null stays; a description of '' removes it. Enabling starts with a clean record and goes on with what was
-- waiting; disabling lets it wait. False when there is no such endpoint.
create or replace function update_webhook_endpoint(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text, p_status text
) returns boolean
language plpgsql as $$
declare
  v_before text;
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_id]);
  select e.status into v_before from webhook_endpoint e
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if v_before is null then return false; end if;
  update webhook_endpoint e set
    url = coalesce(p_url, e.url),
    events = coalesce(p_events, e.events),
    description = nullif(coalesce(p_description, e.description), ''),
    status = coalesce(p_status, e.status),
    disabled_reason = case when coalesce(p_status, e.status) = 'enabled' then null else coalesce(e.disabled_reason, 'request') end
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  if p_status is distinct from v_before and p_status is not null then
    update webhook_line l set
      failures = case p_status when 'enabled' then 0 else l.failures end,
      failing_since = case p_status when 'enabled' then null else l.failing_since end,
      not_before = case when l.holder is null then p_now else l.not_before end,
      due_at = case p_status when 'enabled' then first_due(p_company, p_environment, p_id) end
    where l.company_id = p_company and l.environment = p_environment and l.endpoint_id = p_id;
  end if;
  return true;
end $$;

-- By the server itself: the receiver answered 410, or failed for days. Its other endpoints are told.
-- All lines of the company are locked at once, in order, because telling them locks them again.
create or replace function disable_webhook_endpoint(p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_reason text)
returns boolean
language plpgsql as $$
begin
  perform lock_lines_of(p_company, p_environment);
  update webhook_endpoint e set status = 'disabled', disabled_reason = p_reason
  where e.company_id = p_company and e.environment = p_environment and e.id = p_id and e.status = 'enabled';
  if not found then return false; end if;
  update webhook_line l set due_at = null
  where l.company_id = p_company and l.environment = p_environment and l.endpoint_id = p_id;
  perform emit_event(p_company, p_environment, 'webhook.disabled', p_id, webhook_endpoint_json(p_company, p_environment, p_id), p_now);
  return true;
end $$;

-- The new secret signs at once; the old ones go on until p_old_until, or earlier if they would have ended. At most
-- three old ones go on: every one more makes the signature longer.
create or replace function rotate_webhook_secret(
  p_company uuid, p_now timestamptz, p_environment environment, p_endpoint uuid, p_id uuid, p_sealed bytea, p_key_id text, p_old_until timestamptz
) returns boolean
language plpgsql as $$
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_endpoint]);
  if not exists (select from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_endpoint) then
    return false;
  end if;
  update webhook_secret s set expires_at = least(s.expires_at, p_old_until)
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint;
  delete from webhook_secret s
  where s.company_id = p_company and s.environment = p_environment and s.endpoint_id = p_endpoint
    and (s.expires_at <= p_now or s.id not in (
      select k.id from webhook_secret k
      where k.company_id = p_company and k.environment = p_environment and k.endpoint_id = p_endpoint and k.expires_at > p_now
      order by k.id desc limit 3));
  insert into webhook_secret (company_id, environment, endpoint_id, id, sealed, key_id, created_at)
  values (p_company, p_environment, p_endpoint, p_id, p_sealed, p_key_id, p_now);
  return true;
end $$;

-- With its secrets and its line. What was sent stays in the log until its events are removed.
create or replace function delete_webhook_endpoint(p_company uuid, p_environment environment, p_id uuid) returns boolean
language plpgsql as $$
begin
  perform lock_lines(array[p_company], array[p_environment], array[p_id]);
  delete from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  return found;
end $$;
