// What differs between the kinds of requests to an issuer: operations, invoices and card changes. Each kind is described in its own
// domain, and the rest of this folder is the same for all of them. A kind must not call the issuer outside `send` and `lookUp`.
import type { Environment } from '../../lib/scope.ts'
import type { Attempts } from '../evidence.ts'
import type { Asked, CertainAnswer } from '../exchanges.ts'
import type { CallSubject } from '../gate.ts'
import type { AnyOutcome, Issuer } from '../port.ts'
import type { Claimed, DueRequest } from './queries.ts'

/** A request that was recorded before it was sent. Its id is its token at the issuer. */
export interface RequestRow {
  readonly company_id: string
  readonly environment: Environment
  readonly id: string
  /** How many look-ups were answered. */
  readonly look_up_count: number
}

/** A request that may have been sent, and since when its outcome has been open. */
export type DueRow<Row extends RequestRow> = Row & { readonly status_at: Date }

export type Purpose = Attempts['purpose']

export type DecisionContext = Pick<Attempts, 'now' | 'since' | 'purpose'> & {
  readonly lookUpDelaysMs: readonly number[]
}

export interface RequestKind<Row extends RequestRow, Outcome extends AnyOutcome, Decision extends { status: string }> {
  /** The kinds of calls that send such requests, which are also their kinds in the table of what is not settled. */
  readonly callKinds: readonly DueRequest['kind'][]
  /** What the call is about, for the gate and the traces. */
  subjectOf(row: Row, purpose: Purpose): CallSubject
  /** Makes one request. Only askOnce calls it. */
  send(issuer: Issuer, row: Row): Promise<Outcome>
  /** Returns what is needed to look up requests that were claimed. */
  listClaimed(environment: Environment, claimed: Claimed): Promise<DueRow<Row>[]>
  /** Asks what became of the request. Carries nothing out. */
  lookUp(issuer: Issuer, row: Row, isLast: boolean): Promise<Outcome>
  /** A client waits for the answer to its request, at most this long. Undefined if nobody waits. */
  readonly waitMaxMs?: number
  /** Decides what follows from an outcome, by the table of evidence.ts. Pure. */
  decide(row: Row, outcome: Outcome, context: DecisionContext): Decision
  /** Whether the exchange is kept as evidence. `isLate`: the lease was over, so that others may have looked it up meanwhile. */
  isKept(decision: Decision, exchange: { readonly purpose: Purpose; readonly isLate: boolean }): boolean
  /** Returns a certain answer that was kept as an outcome; undefined if nothing can be decided by it. */
  fromKept(answer: CertainAnswer): Outcome | undefined
  /** Carries the decision out. It changes nothing if the request was settled meanwhile. */
  settle(row: Row, decision: Decision, now: Date): Promise<void>
  /** Returns the request as a review shows it. */
  describe(row: Row): Asked
  /** Names the request in the log. */
  aboutOf(id: string): Record<string, unknown>
}
