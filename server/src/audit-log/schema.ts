// The audit log as operators see it.
import { type Static, Type } from 'typebox'
import type { CompanyNamed } from '../access/company-names.ts'
import { ACTOR_KINDS, formatActorId } from '../access/audit.ts'
import { field, nullable, object, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { ObjectNamed } from './objects/names.ts'
import type { AuditRow } from './queries.ts'

export const AuditEntry = object(
  {
    id: field(Type.String(), 'The id of the record.'),
    companyId: nullable(field(Type.String(), 'The company that it is about. Null when it is about none.')),
    companyName: Type.Optional(field(Type.String(), 'The name of the company, as it is now. Only in lists.')),
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
    objectName: Type.Optional(
      field(Type.String(), 'What the object is called now. Only in lists, and only where it has a name.'),
    ),
    details: field(Type.Record(Type.String(), Type.Unknown()), 'What belongs to the action, such as the reason.'),
    address: nullable(field(Type.String(), 'The network address that it was done from.')),
    requestId: nullable(field(Type.String(), 'The id of the request.')),
    createdAt: field(Timestamp, 'When it was done.'),
  },
  'AuditEntry',
  'Who did what, when and from where.',
)

export function toAuditEntry(row: AuditRow & CompanyNamed & ObjectNamed): Static<typeof AuditEntry> {
  return {
    id: formatId('log', row.id),
    companyId: row.company_id === null ? null : formatId('co', row.company_id),
    ...(row.company_name === undefined ? {} : { companyName: row.company_name }),
    actor: row.actor,
    actorKind: row.actor_kind,
    actorId: formatActorId(row.actor_kind, row.actor_id),
    actorName: row.actor_name,
    action: row.action,
    object: row.object,
    ...(row.object_name === undefined ? {} : { objectName: row.object_name }),
    details: row.details,
    address: row.address,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}

export const CompanyAuditEntry = object(
  {
    id: field(Type.String(), 'The id of the record.'),
    by: field(
      Type.String(),
      'Who did it, with what they were called then. `The card programme` for an operator, and `The server` or `The issuer` for those.',
    ),
    byId: nullable(field(Type.String(), 'The id of the person or key. Null for everyone else.')),
    action: field(Type.String(), 'What was done.'),
    object: nullable(field(Type.String(), 'The id of the object that it was done to.')),
    objectName: Type.Optional(
      field(Type.String(), 'What the object is called now. Only in lists, and only where it has a name.'),
    ),
    address: nullable(
      field(Type.String(), 'The network address that it was done from. Null for others than the company.'),
    ),
    createdAt: field(Timestamp, 'When it was done.'),
  },
  'CompanyAuditEntry',
  'Who did what in the company, and when.',
)

export function toCompanyAuditEntry(
  row: AuditRow & ObjectNamed & { is_own: boolean },
): Static<typeof CompanyAuditEntry> {
  const { is_own: isOwn } = row
  return {
    id: formatId('log', row.id),
    by: isOwn ? (row.actor_name ?? row.actor) : nameOfOther(row.actor_kind),
    byId: isOwn ? formatActorId(row.actor_kind, row.actor_id) : null,
    action: row.action,
    object: row.object,
    ...(row.object_name === undefined ? {} : { objectName: row.object_name }),
    address: isOwn ? row.address : null,
    createdAt: row.created_at.toISOString(),
  }
}

function nameOfOther(kind: AuditRow['actor_kind']): string {
  if (kind === 'issuer') return 'The issuer'
  return kind === 'program' ? 'The server' : 'The card programme'
}
