// Records of the audit log as CSV (RFC 4180).
import type { AuditEntry } from '@cardstock/sdk'

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
  return [[...COLUMNS, 'details'], ...rows].map((row) => `${row.map(toField).join(',')}\r\n`).join('')
}

/** A leading quote keeps spreadsheets from taking the text of somebody else for a formula. */
function toField(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
