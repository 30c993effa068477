// How the judge groups rows, and how it writes ids and scopes in its sentences.
import type { Environment } from '../../../src/lib/scope.ts'
import type { Snapshot } from './snapshot.ts'

interface Scoped {
  readonly company_id: string
  readonly environment: Environment
}

export function scopeName({ company_id, environment }: Scoped): string {
  return `${company_id}/${environment}`
}

export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return groups
}

export function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

/** The id of an object as the audit log writes it, without its prefix. */
export function idInAudit(object: string | null): string | undefined {
  const hex = object?.slice(object.indexOf('_') + 1) ?? ''
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Who decided about an object: an operator with a reason, or the issuer with a signed report. */
export interface Decision {
  readonly by: 'operator' | 'issuer'
  readonly outcome: string
}

export function decisionsOf({ audit }: Snapshot): Map<string, Decision[]> {
  const decisions = new Map<string, Decision[]>()
  for (const { action, object } of audit) {
    const match = /^(review|issuer)\.(completed|failed|expired)$/.exec(action)
    const id = idInAudit(object)
    if (match === null || id === undefined) continue
    const by = match[1] === 'review' ? 'operator' : 'issuer'
    decisions.set(id, [...(decisions.get(id) ?? []), { by, outcome: match[2] ?? '' }])
  }
  return decisions
}
