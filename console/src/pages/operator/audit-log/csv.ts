// Records of the audit log as CSV (RFC 4180).
import type { AuditEntry } from '@cardstock/sdk'
import { toCsvLine } from '@cardstock/sdk/csv'

const COLUMNS = [
  'createdAt',
  'actor',
  'actorKind',
  'actorId',
  'actorName',
  'action',
  'companyId',
  'object',
  'address',
  'requestId',
  'id',
] as const

export function toCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) => [...COLUMNS.map((name) => entry[name] ?? ''), JSON.stringify(entry.details)])
  return [[...COLUMNS, 'details'], ...rows].map(toCsvLine).join('')
}
