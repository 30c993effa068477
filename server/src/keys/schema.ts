// API keys on the wire.
import { type Static, Type } from 'typebox'
import { ROTATION_OVERLAP_MAX_S } from './rules.ts'
import { PERMISSIONS } from '../access/permissions.ts'
import type { KeyRow } from './queries.ts'
import { EnvironmentSchema, field, nullable, object, Timestamp, visibleText } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'

/** A longer list belongs in a firewall. */
const CIDRS_MAX = 50

const keyFields = {
  id: field(Type.String(), 'The id of the key, `key_…`. It is not the key itself.'),
  prefix: field(Type.String(), 'How the key begins.'),
  last4: field(Type.String(), 'The last four characters of the key.'),
  environment: EnvironmentSchema,
  name: field(Type.String(), 'What the key is for.'),
  scopes: field(Type.Array(Type.Enum([...PERMISSIONS])), 'What the key may do.'),
  allowedCidrs: field(Type.Array(Type.String()), 'The networks that the key may be used from. Empty means all.'),
  createdAt: field(Timestamp, 'When the key was created.'),
  expiresAt: nullable(field(Timestamp, 'When the key stops working. Null when it does not expire.')),
}

export const KeySchema = object(
  {
    ...keyFields,
    revokedAt: nullable(field(Timestamp, 'When the key was revoked. Null when it was not.')),
    lastUsedAt: nullable(field(Timestamp, 'When the key was last used, to the minute. Null when it never was.')),
    replacedBy: nullable(
      field(Type.String(), 'The id of the key that replaced this one. Null when it was not rotated.'),
    ),
  },
  'ApiKey',
  'An API key, without the key itself.',
)

export const CreatedKey = object(
  { ...keyFields, key: field(Type.String(), 'The key itself. It is shown only here.') },
  'CreatedApiKey',
  'A new API key.',
)

export const NewKeySchema = object(
  {
    environment: EnvironmentSchema,
    name: field(visibleText(255, 'a name'), 'What the key is for.'),
    scopes: Type.Array(Type.Enum([...PERMISSIONS]), {
      minItems: 1,
      maxItems: PERMISSIONS.length,
      hint: 'a list of scopes',
      description: 'What the key may do. Give each key only what it needs.',
    }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        hint: 'a date-time such as 2027-01-31T00:00:00Z',
        description: 'When the key stops working. By default it does not expire.',
      }),
    ),
    allowedCidrs: Type.Optional(
      Type.Array(Type.String({ maxLength: 50, hint: 'a CIDR block such as 203.0.113.0/24' }), {
        maxItems: CIDRS_MAX,
        hint: 'a list of CIDR blocks',
        description:
          'The networks that the key may be used from, such as `["203.0.113.0/24"]`. The default is all networks.',
      }),
    ),
  },
  'ApiKeyCreate',
  'A key to create.',
)

const { environment: _environment, ...ownKeyFields } = NewKeySchema.properties
export const NewOwnKey = object(ownKeyFields, 'CompanyKeyCreate', 'A key to create in the environment of the request.')

export const Rotation = object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: ROTATION_OVERLAP_MAX_S,
        hint: `a whole number from 0 to ${ROTATION_OVERLAP_MAX_S}`,
        description: 'For how long the old key still works. The default is 24 hours, the maximum 7 days.',
      }),
    ),
  },
  'ApiKeyRotation',
  'How to replace the key.',
)

function keyFieldsOf(row: KeyRow) {
  return {
    id: formatId('key', row.id),
    prefix: row.prefix,
    last4: row.last4,
    environment: row.environment,
    name: row.name,
    scopes: row.scopes,
    allowedCidrs: row.allowed_cidrs,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
  }
}

export function toKey(row: KeyRow): Static<typeof KeySchema> {
  return {
    ...keyFieldsOf(row),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    replacedBy: row.successor_id === undefined || row.successor_id === null ? null : formatId('key', row.successor_id),
  }
}

export function toCreatedKey(made: { key: string; row: KeyRow }): Static<typeof CreatedKey> {
  return { ...keyFieldsOf(made.row), key: made.key }
}
