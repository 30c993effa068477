// Companies, keys and the audit log as operators see them.
import { type Static, Type } from 'typebox'
import { ROTATION_OVERLAP_MAX_S } from '../access/companies.ts'
import { PERMISSIONS } from '../access/permissions.ts'
import type { AuditRow, CompanyRow, KeyRow } from '../access/queries.ts'
import { EnvironmentSchema, nullable, object, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'

const name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'a name of 1 to 255 characters' })
const reason = Type.String({ minLength: 1, maxLength: 2000, description: 'a reason of 1 to 2000 characters' })
/** More addresses than that belong into a firewall. */
const CIDRS_MAX = 50

export const Company = object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum(['individual', 'corporate']),
    verification: Type.Enum(['pending', 'approved', 'rejected']),
    capabilities: object({ liveServices: Type.Boolean(), directInvoices: Type.Boolean() }),
    suspended: Type.Boolean({ description: 'whether the company may only read, and freeze and close cards' }),
    createdAt: Timestamp,
  },
  'Company',
)

export const NewCompany = object({ name, kind: Type.Enum(['individual', 'corporate']) })
export const Verification = object({ decision: Type.Enum(['approve', 'reject']), reason: Type.Optional(reason) })
export const Suspension = object({ suspended: Type.Boolean({ description: 'true or false' }), reason })
export const CapabilityChange = object({
  liveServices: Type.Optional(Type.Boolean()),
  directInvoices: Type.Optional(Type.Boolean()),
})

const keyFields = {
  id: Type.String(),
  prefix: Type.String(),
  last4: Type.String(),
  environment: EnvironmentSchema,
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...PERMISSIONS])),
  allowedCidrs: Type.Array(Type.String()),
  createdAt: Timestamp,
  expiresAt: nullable(Timestamp),
}
export const KeySchema = object(
  { ...keyFields, revokedAt: nullable(Timestamp), lastUsedAt: nullable(Timestamp) },
  'ApiKey',
)
export const CreatedKey = object(
  { ...keyFields, key: Type.String({ description: 'the key itself; shown only here' }) },
  'CreatedApiKey',
)

export const NewKeySchema = object({
  environment: EnvironmentSchema,
  name,
  scopes: Type.Array(Type.Enum([...PERMISSIONS]), {
    minItems: 1,
    maxItems: PERMISSIONS.length,
    description: 'a list of scopes',
  }),
  expiresAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'a date-time such as 2027-01-31T00:00:00Z' }),
  ),
  allowedCidrs: Type.Optional(
    Type.Array(Type.String({ maxLength: 50 }), { maxItems: CIDRS_MAX, description: 'a list of CIDR blocks' }),
  ),
})

export const Rotation = object({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ROTATION_OVERLAP_MAX_S,
      description: `a whole number from 0 to ${ROTATION_OVERLAP_MAX_S}`,
    }),
  ),
})

export const AuditEntry = object(
  {
    id: Type.String(),
    companyId: nullable(Type.String()),
    actor: Type.String(),
    action: Type.String(),
    object: nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    address: nullable(Type.String()),
    requestId: nullable(Type.String()),
    createdAt: Timestamp,
  },
  'AuditEntry',
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
    action: row.action,
    object: row.object,
    details: row.details,
    address: row.address,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}
