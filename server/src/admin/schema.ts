// Companies, keys and the audit log as operators see them.
import { type Static, Type } from 'typebox'
import { ACTOR_KINDS, formatActorId } from '../access/audit.ts'
import { ROTATION_OVERLAP_MAX_S } from '../access/companies.ts'
import { PERMISSIONS } from '../access/permissions.ts'
import type { CompanyRow, KeyRow } from '../access/queries.ts'
import { EnvironmentSchema, field, nullable, object, Timestamp, visibleText } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { AuditRow } from './queries.ts'

const name = visibleText(255, 'a name')
const reason = visibleText(2000, 'a reason')
/** A longer list belongs in a firewall. */
const CIDRS_MAX = 50

const kind = field(
  Type.Enum(['individual', 'corporate']),
  'An individual may issue 500 cards in a calendar month; a corporate company has no such limit.',
)
const LIVE_SERVICES = 'Whether the company may issue cards, top up cards and order services in live.'
const DIRECT_INVOICES = 'Whether the company may create invoices in live.'
export const Capabilities = object(
  { liveServices: field(Type.Boolean(), LIVE_SERVICES), directInvoices: field(Type.Boolean(), DIRECT_INVOICES) },
  'Capabilities',
  'What the company is activated for in live.',
)

export const VerificationStatus = Type.Enum(['pending', 'approved', 'rejected'])

export const Company = object(
  {
    id: field(Type.String(), 'The id of the company, `co_…`.'),
    name: field(Type.String(), 'The name of the company.'),
    kind,
    verification: field(VerificationStatus, 'Only the keys of an approved company work, also in the sandbox.'),
    capabilities: Capabilities,
    suspended: field(
      Type.Boolean(),
      'A suspended company can read, and freeze and close cards. Every other write is refused.',
    ),
    createdAt: field(Timestamp, 'When the company was created.'),
  },
  'Company',
  'A company of the card programme.',
)

export const NewCompany = object(
  { name: field(name, 'The name of the company.'), kind },
  'NewCompany',
  'A company to create.',
)
export const Verification = object(
  {
    decision: field(Type.Enum(['approve', 'reject']), 'What was decided.'),
    reason: Type.Optional(field(reason, 'Why, for the audit log.')),
  },
  'VerificationDecision',
  'A decision about the verification of a company.',
)
export const Suspension = object(
  {
    suspended: field(
      Type.Boolean({ hint: 'true or false' }),
      'Whether to suspend the company or to lift the suspension.',
    ),
    reason: field(reason, 'Why, for the audit log.'),
  },
  'Suspension',
  'A decision to suspend a company or to lift its suspension.',
)
export const CapabilityChange = object(
  {
    liveServices: Type.Optional(field(Type.Boolean(), LIVE_SERVICES)),
    directInvoices: Type.Optional(field(Type.Boolean(), DIRECT_INVOICES)),
  },
  'CapabilityChange',
  'What to activate or deactivate. What is left out stays as it is.',
)

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
    name: field(name, 'What the key is for.'),
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
      Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: CIDRS_MAX,
        hint: 'a list of CIDR blocks',
        description:
          'The networks that the key may be used from, such as `["203.0.113.0/24"]`. The default is all networks.',
      }),
    ),
  },
  'NewApiKey',
  'A key to create.',
)

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

export const AuditEntry = object(
  {
    id: field(Type.String(), 'The id of the record.'),
    companyId: nullable(field(Type.String(), 'The company that it is about. Null when it is about none.')),
    actor: field(
      Type.String(),
      'Who did it, as one text with what they were called then. People choose their names, so rely on `actorId`.',
    ),
    actorKind: nullable(
      field(
        Type.Enum([...ACTOR_KINDS]),
        'What did it: a person, a company’s `key`, an `operator_token`, somebody who used a one-time `link`, the `program` itself, or the `issuer`. Null in records from before 0.2.',
      ),
    ),
    actorId: nullable(
      field(
        Type.String(),
        'The id of the person (`per_…`), key or token (`key_…`); of a link, the person that it was made for. Null for the program and the issuer, and in records from before 0.2.',
      ),
    ),
    actorName: nullable(
      field(
        Type.String(),
        'What the person, key or token was called when it was done. Null when there is no such name.',
      ),
    ),
    action: field(Type.String(), 'What was done.'),
    object: nullable(field(Type.String(), 'The id of the object that it was done to.')),
    details: field(Type.Record(Type.String(), Type.Unknown()), 'What belongs to the action, such as the reason.'),
    address: nullable(field(Type.String(), 'The network address that it was done from.')),
    requestId: nullable(field(Type.String(), 'The id of the request.')),
    createdAt: field(Timestamp, 'When it was done.'),
  },
  'AuditEntry',
  'Who did what, when and from where.',
)

export function toCompany(row: CompanyRow): Static<typeof Company> {
  return {
    id: formatId('co', row.id),
    name: row.name,
    kind: row.kind,
    verification: row.verification,
    capabilities: { liveServices: row.live_services, directInvoices: row.direct_invoices },
    suspended: row.suspended,
    createdAt: row.created_at.toISOString(),
  }
}

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
  }
}

export function toCreatedKey(made: { key: string; row: KeyRow }): Static<typeof CreatedKey> {
  return { ...keyFieldsOf(made.row), key: made.key }
}

export function toAuditEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: formatId('log', row.id),
    companyId: row.company_id === null ? null : formatId('co', row.company_id),
    actor: row.actor,
    actorKind: row.actor_kind,
    actorId: formatActorId(row.actor_kind, row.actor_id),
    actorName: row.actor_name,
    action: row.action,
    object: row.object,
    details: row.details,
    address: row.address,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}
