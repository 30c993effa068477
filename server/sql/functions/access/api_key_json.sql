-- A key on the wire, for events: the same keys and values as toKey in admin/schema.ts.
-- Called by tell_expiring_key.
create or replace function api_key_json(p_key api_key) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', 'key_' || replace(p_key.id::text, '-', ''),
    'prefix', p_key.prefix,
    'last4', p_key.last4,
    'environment', p_key.environment,
    'name', p_key.name,
    'scopes', p_key.scopes,
    'allowedCidrs', p_key.allowed_cidrs,
    'createdAt', to_char(p_key.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'expiresAt', to_char(p_key.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'revokedAt', to_char(p_key.revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'lastUsedAt', to_char(p_key.last_used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
