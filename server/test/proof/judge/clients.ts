// Judges what clients were answered: one object per key and payload, a conflict for another payload, nothing acknowledged
// is missing, and no answer to a revoked key.
import type { Environment } from '../../../src/lib/scope.ts'
import type { ClientRequest, Evidence, ListWalk, Revocation } from './evidence.ts'
import { groupBy, scopeName } from './scopes.ts'
import type { EntryRow, Snapshot } from './snapshot.ts'

/** Every process refuses a revoked key within this time (ARCHITECTURE.md). */
const REVOKED_WITHIN_MS = 1_000

/** The kinds of entries that are written before the client gets its answer. The deposit of an invoice is written when it is paid. */
const OPENING: ReadonlySet<EntryRow['kind']> = new Set(['reservation', 'deposit'])

interface Stored {
  readonly company_id: string
  readonly environment: Environment
  readonly id: string
  readonly idempotency_key: string | null
}

export function judgeClients(snapshot: Snapshot, { clients = [], revocations = [], walks = [] }: Evidence): string[] {
  const stored = {
    operation: byKey(snapshot.operations),
    invoice: byKey(snapshot.invoices),
    deposit: byKey(snapshot.deposits.filter(({ source }) => source === 'fund')),
  }
  const groups = groupBy(clients, (request) => `${request.object} ${keyOf(request)}`)
  return [
    ...[...groups.values()].flatMap((requests) => judgeKey(requests, stored[requests[0]?.object ?? 'operation'])),
    ...clients.flatMap((request) => judgeRevocation(request, revocations)),
    ...clients.flatMap((request) => judgeFunds(request, clients, snapshot)),
    ...walks.flatMap(judgeWalk),
  ]
}

const keyOf = ({ companyId, environment, idempotencyKey }: ClientRequest) =>
  `${companyId}/${environment} ${idempotencyKey}`
const byKey = (rows: readonly Stored[]) => groupBy(rows, (row) => `${scopeName(row)} ${row.idempotency_key}`)

/** All requests with one key in one scope. */
function judgeKey(requests: readonly ClientRequest[], stored: ReadonlyMap<string, readonly Stored[]>): string[] {
  const [first] = requests
  if (first === undefined) return []
  const { companyId, environment, idempotencyKey, object } = first
  const own = stored.get(keyOf(first)) ?? []
  const problems: string[] = []
  if (own.length > 1)
    problems.push(`key ${idempotencyKey} created ${own.length} of ${object}: ${own.map(({ id }) => id).join(', ')}`)
  const accepted = requests.filter(({ answer }) => answer?.kind === 'accepted')
  const ids = new Set(accepted.map(({ answer }) => (answer?.kind === 'accepted' ? answer.id : '')))
  if (ids.size > 1) problems.push(`key ${idempotencyKey} was answered with several objects: ${[...ids].join(', ')}`)
  for (const id of ids) {
    if (!own.some((row) => row.id === id)) {
      problems.push(`${object} ${id} was acknowledged to ${companyId}/${environment}, but it is missing there`)
    }
  }
  const payloads = new Set(accepted.map(({ payload }) => payload))
  if (payloads.size > 1) problems.push(`key ${idempotencyKey} was accepted with ${payloads.size} different payloads`)
  const conflicts = requests.filter(({ answer }) => answer?.kind === 'conflict')
  for (const conflict of conflicts) {
    const isExplained = requests.some(({ payload }) => payload !== conflict.payload) && own.length > 0
    if (!isExplained)
      problems.push(`key ${idempotencyKey} was refused as a conflict, but it was used with one payload only`)
    if (payloads.has(conflict.payload)) {
      problems.push(`key ${idempotencyKey} was both accepted and refused as a conflict with the same payload`)
    }
  }
  return problems
}

function judgeRevocation(
  { keyId, sentAtMs, answer, idempotencyKey }: ClientRequest,
  revocations: readonly Revocation[],
): string[] {
  if (answer?.kind !== 'accepted') return []
  const revoked = revocations.find((revocation) => revocation.keyId === keyId)
  if (revoked === undefined || sentAtMs <= revoked.atMs + REVOKED_WITHIN_MS) return []
  return [
    `a request with key ${idempotencyKey} was accepted ${sentAtMs - revoked.atMs} ms after API key ${keyId} was revoked`,
  ]
}

/**
 * A refusal for lack of funds is right if the account may have been short while the request was under way. An entry can be
 * committed long after its own time, so only what had been acknowledged is certainly older than the request.
 */
function judgeFunds(request: ClientRequest, clients: readonly ClientRequest[], { entries }: Snapshot): string[] {
  const { answer, total, companyId, environment, sentAtMs, answeredAtMs = Number.POSITIVE_INFINITY } = request
  if (answer?.kind !== 'refused' || answer.code !== 'insufficient_funds' || total === undefined) return []
  const known = new Set(
    clients
      .filter(({ object, answeredAtMs: atMs }) => object !== 'invoice' && atMs !== undefined && atMs <= sentAtMs)
      .map((other) => (other.answer?.kind === 'accepted' ? other.answer.id : undefined)),
  )
  const own = entries.filter((entry) => entry.company_id === companyId && entry.environment === environment)
  const older = own.findLastIndex(({ kind, reference }) => OPENING.has(kind) && known.has(reference))
  let available = own.slice(0, older + 1).reduce((sum, entry) => sum + entry.available_delta, 0n)
  let wasShort = available < total
  for (const entry of own.slice(older + 1)) {
    if (entry.created_at.getTime() > answeredAtMs) break
    available += entry.available_delta
    wasShort ||= available < total
  }
  return wasShort
    ? []
    : [`a request with key ${request.idempotencyKey} was refused for lack of funds, but there was always enough`]
}

function judgeWalk({ what, expected, seen }: ListWalk): string[] {
  const isSame = expected.length === seen.length && expected.every((id, index) => id === seen[index])
  return isSame
    ? []
    : [`${what} shows ${seen.length} objects page by page, but there are ${expected.length}, or in another order`]
}
