-- Returns an API key as the API shows it, for events, with the same fields as toKey in keys/schema.ts.
-- Called by tell_expiring_key.
create or replace function api_key_json(p_key api_key) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', wire_id('key', p_key.id),
    'prefix', p_key.prefix,
    'last4', p_key.last4,
    'environment', p_key.environment,
    'name', p_key.name,
    'scopes', p_key.scopes,
    'allowedCidrs', p_key.allowed_cidrs,
    'createdAt', wire_time(p_key.created_at),
    'expiresAt', wire_time(p_key.expires_at),
    'revokedAt', wire_time(p_key.revoked_at),
    'lastUsedAt', wire_time(p_key.last_used_at),
    'replacedBy', wire_id('key', p_key.successor_id))
$$;
