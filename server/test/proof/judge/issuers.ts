// Compares what is recorded here with the issuer's own book: at most one request per object, captured if and only if the
// issuer carried it out, and no credit that the issuer does not know.
import { receiptOf } from '../../../src/issuer/sandbox.ts'
import type { IssuerBook } from './evidence.ts'
import { type Decision, decisionsOf, groupBy } from './scopes.ts'
import type { OperationRow, Snapshot } from './snapshot.ts'

const CARRIED_OUT = new Set(['issue', 'topup', 'service'])

interface Sendable {
  readonly company_id: string
  readonly environment: string
  readonly amount: bigint | undefined
  readonly sentFrom: Date | null
}

export function judgeIssuer(snapshot: Snapshot, book: IssuerBook): string[] {
  return [...judgeRequests(snapshot, book), ...judgeEffects(snapshot, book), ...judgePayments(snapshot, book)]
}

function judgeRequests(snapshot: Snapshot, { environment, requests }: IssuerBook): string[] {
  const objects = sendables(snapshot)
  return [...groupBy(requests, ({ token }) => token)].flatMap(([token, arrived]) => {
    const problems: string[] = []
    if (arrived.length > 1) problems.push(`the issuer received ${arrived.length} requests for ${token}`)
    const object = objects.get(token)
    if (object === undefined) return [...problems, `the issuer received a request for ${token}, which does not exist`]
    for (const { companyId, amount, atMs } of arrived) {
      if (companyId !== object.company_id || environment !== object.environment) {
        problems.push(`the issuer received ${token} for another company or environment than its own`)
      }
      if (amount !== object.amount) problems.push(`the issuer received another amount for ${token} than was accepted`)
      if (object.sentFrom === null || object.sentFrom.getTime() > atMs) {
        problems.push(`the issuer received ${token} before the claim was recorded`)
      }
    }
    return problems
  })
}

function sendables({ operations, invoices, changes }: Snapshot): Map<string, Sendable> {
  return new Map([
    ...operations.map((row): [string, Sendable] => [row.id, { ...row, sentFrom: row.claimed_at }]),
    ...invoices.map((row): [string, Sendable] => [row.id, { ...row, amount: row.requested, sentFrom: row.created_at }]),
    ...changes.map((row): [string, Sendable] => [row.id, { ...row, amount: undefined, sentFrom: row.created_at }]),
  ])
}

function judgeEffects(snapshot: Snapshot, { environment, effects }: IssuerBook): string[] {
  const decisions = decisionsOf(snapshot)
  const effectsOf = groupBy(effects, ({ token }) => token)
  const own = snapshot.operations.filter((operation) => operation.environment === environment)
  return own.flatMap((operation) => {
    const count = effectsOf.get(operation.id)?.length ?? 0
    return judgeEnd(operation, count, decisions.get(operation.id) ?? [])
  })
}

function judgeEnd({ id, status }: OperationRow, effects: number, decided: readonly Decision[]): string[] {
  if (effects > 1) return [`the issuer carried out operation ${id} ${effects} times`]
  // An operator may decide against the issuer's book: the server must believe a person.
  if (decided.some(({ by }) => by === 'operator')) return []
  if (status === 'completed' && effects === 0)
    return [`operation ${id} was captured, but the issuer did not carry it out`]
  if (status === 'failed' && effects === 1) return [`operation ${id} was released, but the issuer carried it out`]
  if (status === 'queued' && effects === 1) return [`operation ${id} is queued, but the issuer has carried it out`]
  return []
}

function judgePayments({ payments }: Snapshot, { environment, payments: seen }: IssuerBook): string[] {
  if (seen === undefined) return []
  return payments
    .filter((payment) => payment.environment === environment)
    .filter(({ payment_key, invoice_id, amount }) => {
      return !seen.some(
        (known) => known.key === payment_key && known.invoiceId === invoice_id && known.amount === amount,
      )
    })
    .map(
      ({ payment_key, invoice_id }) =>
        `payment ${payment_key} of invoice ${invoice_id} was recorded, but the issuer did not see it`,
    )
}

/**
 * The sandbox issuer keeps its book in the same database. What it carries out in the statement that completes the operation has no record
 * of its own: then the operation has the receipt that follows from its id, and got its status when it was claimed.
 */
export function judgeSandboxIssuer(snapshot: Snapshot): string[] {
  const decisions = decisionsOf(snapshot)
  const records = new Map(snapshot.sandboxEffects.map((row) => [row.token, row]))
  const own = snapshot.operations.filter(({ environment }) => environment === 'sandbox')
  return own.flatMap((operation) => {
    const record = records.get(operation.id)
    if (record === undefined) return judgeEnd(operation, isAtOnce(operation) ? 1 : 0, decisions.get(operation.id) ?? [])
    if (!CARRIED_OUT.has(record.kind)) return judgeEnd(operation, 0, decisions.get(operation.id) ?? [])
    const isSame =
      record.company_id === operation.company_id && record.kind === operation.type && record.amount === operation.amount
    const mismatch = isSame ? [] : [`the sandbox issuer carried out something else for operation ${operation.id}`]
    return [...mismatch, ...judgeEnd(operation, 1, decisions.get(operation.id) ?? [])]
  })
}

function isAtOnce({ id, status, receipt, claimed_at, status_at }: OperationRow): boolean {
  const isOneStep = claimed_at !== null && claimed_at.getTime() === status_at.getTime()
  return status === 'completed' && isOneStep && receipt === receiptOf(id)
}
