// Sends a request to an issuer, once, and settles it by the answer. Nothing else in the server sends requests.
import type { Scope } from '../../lib/scope.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Permits } from '../gate.ts'
import { leaseUntil, sendWithinMs } from '../lease.ts'
import type { AnyOutcome, Issuer } from '../port.ts'
import { conclude, type ConcludeDeps } from './conclude.ts'
import type { RequestKind, RequestRow } from './kind.ts'

export interface AskDeps extends ConcludeDeps {
  /** A call that takes longer has an unknown outcome. */
  readonly issuerTimeoutMs: number
}

/** The right to send the requests that one statement claims. Begin it before the statement, so that the lease covers the statement. */
export interface Claim {
  readonly now: Date
  /** After this others look up what was claimed. */
  readonly leaseUntil: Date
  /** By the process's own clock, which nobody sets. */
  readonly startedMs: number
  /** The requests that were sent by it. */
  readonly asked: Set<string>
}

export function beginClaim({ clock, issuerTimeoutMs }: { clock: Clock; issuerTimeoutMs: number }): Claim {
  const startedMs = performance.now()
  const now = clock.now()
  return { now, leaseUntil: leaseUntil(now, issuerTimeoutMs), startedMs, asked: new Set() }
}

interface Ask {
  readonly claim: Claim
  readonly issuer: Issuer
  /** One of them is used by the call, or given back. */
  readonly permits: Permits
  /** The requests of this process that were sent and not answered. */
  readonly inFlight?: Set<string>
}

/**
 * Asks the issuer to carry out a request that this process has claimed, and settles it. Returns the outcome, or undefined if it
 * was too late to send. At most one request with a token ever leaves, because:
 *
 * 1. A claim is committed before this is called, and only one caller can have it. `claim_listed` moves an operation from `queued`
 *    to `processing`; `begin_invoice` and `begin_card_change` insert a row with a new id. Whoever comes second gets no row.
 * 2. Only the process that made the claim comes here with it. A row that is found in any other way is looked up, never sent.
 * 3. A claim sends each of its requests once: `asked` refuses a second time.
 * 4. Neither the gate nor an issuer repeats a call.
 * 5. A request is claimed again only if it is certain that nothing left this machine (`not_sent`).
 * 6. A process that was suspended between its claim and the call sends nothing: others may look the request up by now, and a person
 *    may decide on what they find. The lease is longer than the time to send and the longest call together.
 *
 * A process that dies at any point leaves a claimed row, which is looked up after its lease.
 */
export async function askOnce<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }>(
  deps: AskDeps,
  kind: RequestKind<Row, Outcome, Decision>,
  row: Row,
  { claim, issuer, permits, inFlight }: Ask,
): Promise<Outcome | { readonly kind: 'unknown'; readonly reason: string } | undefined> {
  const { clock, issuerTimeoutMs } = deps
  if (performance.now() - claim.startedMs > sendWithinMs(issuerTimeoutMs)) {
    permits.giveBack(1)
    return undefined
  }
  invariant(!claim.asked.has(row.id), 'a request is sent once')
  claim.asked.add(row.id)
  const startedAt = clock.now()
  inFlight?.add(row.id)
  const deadlineMs = kind.waitMaxMs === undefined ? undefined : Math.min(issuerTimeoutMs, kind.waitMaxMs)
  const outcome = await permits.call(kind.subjectOf(row, 'request'), () => kind.send(issuer, row), deadlineMs)
  // Remove it before it is settled, because after that it may be due for a look-up.
  inFlight?.delete(row.id)
  const { leaseUntil: leaseEnd } = claim
  await conclude(deps, kind, row, { purpose: 'request', since: startedAt, startedAt, outcome, leaseEnd, issuer })
  return outcome
}

export function scopeOf({ company_id: companyId, environment }: Pick<RequestRow, 'company_id' | 'environment'>): Scope {
  return { companyId, environment }
}
