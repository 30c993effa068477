// Judges the life of every operation: its events follow the table of states, every end has its proof, a review ends only by a
// decision, and nobody issues more cards than the quota.
import { OPERATION_TRANSITIONS } from '../../../src/operations/states.ts'
import { type Decision, decisionsOf, groupBy, scopeName } from './scopes.ts'
import type { EventRow, ExchangeRow, OperationRow, Snapshot } from './snapshot.ts'

/** The first attempt, and the five that follow while nothing could be sent. */
const SENDS_MAX = 6
/** A process may be suspended for this long between reading the clock and committing. Until then others look the operation up. */
const UNCOMMITTED_MS_MAX = 30 * 60_000
/** What an individual may issue per month. */
const QUOTA = 500

export function judgeOperations(
  snapshot: Snapshot,
  quotaOf: ((companyId: string) => number | undefined) | undefined,
): string[] {
  const decisions = decisionsOf(snapshot)
  const events = groupBy(snapshot.events, ({ object_id }) => object_id)
  const exchanges = groupBy(snapshot.exchanges, ({ object_id }) => object_id)
  const problems = snapshot.operations.flatMap((operation) => {
    const happened = (events.get(operation.id) ?? []).toSorted((a, b) => a.sequence - b.sequence)
    const decided = decisions.get(operation.id) ?? []
    return [
      ...judgeEvents(operation, happened),
      ...judgeReview(operation, happened, { decided, exchanges: exchanges.get(operation.id) ?? [] }),
      ...judgeProof(operation, exchanges.get(operation.id) ?? [], decided),
    ]
  })
  return [...problems, ...judgeQuota(snapshot, quotaOf), ...judgeCards(snapshot)]
}

function judgeEvents({ id, status, event_count }: OperationRow, events: readonly EventRow[]): string[] {
  const problems: string[] = []
  if (events.length !== event_count || events.some(({ sequence }, index) => sequence !== index + 1)) {
    problems.push(`the events of operation ${id} are not numbered from 1 to ${event_count} without gaps`)
  }
  const states = events.map(({ type }) => type.slice('operation.'.length) as OperationRow['status'])
  for (const [index, next] of states.entries()) {
    const before = states[index - 1]
    const isAllowed = before === undefined ? next === 'queued' : OPERATION_TRANSITIONS[before]?.includes(next)
    if (!isAllowed) problems.push(`the events of operation ${id} go from ${before ?? 'nothing'} to ${next}`)
  }
  if (states.at(-1) !== status) problems.push(`operation ${id} is ${status}, but its last event says ${states.at(-1)}`)
  return problems
}

/**
 * A review ends with a decision, a report of the issuer, or the issuer's answer, however late, to the request itself or to a
 * look-up that another process had begun before the review was committed.
 */
function judgeReview(
  { id, status }: OperationRow,
  events: readonly EventRow[],
  { decided, exchanges }: { decided: readonly Decision[]; exchanges: readonly ExchangeRow[] },
): string[] {
  const review = events.find(({ type }) => type === 'operation.manual_review')
  if (review === undefined || status === 'manual_review') return []
  const proofs = status === 'completed' ? ['confirmed'] : ['declined', 'absent']
  const begunByMs = review.created_at.getTime() + UNCOMMITTED_MS_MAX
  const isAnswered = exchanges.some(
    ({ purpose, outcome, started_at }) =>
      proofs.includes(outcome) && (purpose === 'request' || started_at.getTime() <= begunByMs),
  )
  return isAnswered || decided.some(({ outcome }) => outcome === status)
    ? []
    : [`operation ${id} left manual review as ${status}, and neither an operator nor the issuer said so`]
}

/** A failure needs a proof: a refusal, a promise of the issuer, a decision, or the certainty that nothing was ever sent. */
function judgeProof(
  { id, status, failure_code, claimed_at, unsent_count }: OperationRow,
  exchanges: readonly ExchangeRow[],
  decided: readonly Decision[],
): string[] {
  if (status === 'queued') return []
  if (claimed_at === null) return [`operation ${id} is ${status}, but no claim was recorded`]
  if (status !== 'failed' || decided.some(({ outcome }) => outcome === 'failed')) return []
  const outcomes = exchanges.map(({ outcome }) => outcome)
  if (failure_code === 'issuer_unreachable') {
    const isUnsent = outcomes.every((outcome) => outcome === 'not_sent') && unsent_count + 1 === SENDS_MAX
    return isUnsent ? [] : [`operation ${id} failed as never sent, but its exchanges do not prove that`]
  }
  if (outcomes.includes('declined') || outcomes.includes('absent')) return []
  return [`operation ${id} failed, but no exchange with the issuer proves that it was not carried out`]
}

/** Follows the entries in order: the reservation of an issue uses up one card of its month, and a release gives it back. */
function judgeQuota(
  { accounts, entries, operations }: Snapshot,
  quotaOf?: (companyId: string) => number | undefined,
): string[] {
  const issues = new Map(operations.filter(({ type }) => type === 'issue').map((row) => [row.id, row]))
  const entriesOf = groupBy(entries, scopeName)
  return accounts.flatMap((account) => {
    const quota =
      quotaOf === undefined ? (account.kind === 'individual' ? QUOTA : undefined) : quotaOf(account.company_id)
    const counts = new Map<string, number>()
    const problems: string[] = []
    for (const { kind, reference } of entriesOf.get(scopeName(account)) ?? []) {
      const issue = issues.get(reference)
      if (issue === undefined || (kind !== 'reservation' && kind !== 'release')) continue
      const month = issue.created_at.toISOString().slice(0, 7)
      const count = (counts.get(month) ?? 0) + (kind === 'reservation' ? 1 : -1)
      counts.set(month, count)
      if (kind === 'reservation' && quota !== undefined && count > quota) {
        problems.push(
          `operation ${reference} is issue ${count} of ${scopeName(account)} in ${month}, and the quota is ${quota}`,
        )
      }
    }
    const counted = counts.get(account.issued_month) ?? 0
    if (account.issued_month > '1970-01' && counted !== account.issued_count) {
      problems.push(
        `${scopeName(account)} counts ${account.issued_count} issues in ${account.issued_month}, and has ${counted}`,
      )
    }
    return problems
  })
}

/** Every completed issue made one card. */
function judgeCards({ operations, cards }: Snapshot): string[] {
  const made = operations.filter(({ type, status }) => type === 'issue' && status === 'completed')
  const ids = new Set(made.map(({ card_id }) => card_id))
  if (ids.size !== made.length) return ['two completed issues made the same card']
  const stored = new Set(cards.map(({ id }) => id))
  return [
    ...made
      .filter(({ card_id }) => card_id === null || !stored.has(card_id))
      .map(({ id }) => `operation ${id} is completed, but its card is missing`),
    ...cards.filter(({ id }) => !ids.has(id)).map(({ id }) => `card ${id} was made by no completed operation`),
  ]
}
