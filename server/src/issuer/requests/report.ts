// Takes the late outcome of a request from the live issuer's signed event. It ends a review, or a request whose outcome is still being
// looked up, after the checks that an answer has to pass. It sends nothing to the issuer, and an event that does not match the request
// or its outcome changes nothing.
import { formatId } from '../../lib/ids.ts'
import type { Scope } from '../../lib/scope.ts'
import { resolve } from '../../reviews/resolve.ts'
import type { ReviewedRow, ReviewKind } from '../../reviews/source.ts'
import { type Expected, findMismatch, outcomeOf } from '../http/answer.ts'
import type { Taken } from '../http/events.ts'
import type { RequestAnswer } from '../http/protocol.ts'
import type { IssuerOutcome } from '../port.ts'
import { contradict, ISSUER, type ReportDeps } from './contradictions.ts'
import type { DecisionContext } from './kind.ts'

/** The request may have been sent, and its outcome is not known. */
const OPEN: readonly string[] = ['processing', 'manual_review']

type ReportedRow = ReviewedRow & { readonly created_at: Date; readonly status_at: Date }

/** What an event says about a request, and what differs between the kinds of requests. */
export interface Report<Row, End> {
  readonly event: { readonly id: string; readonly type: string; readonly data: unknown }
  /** What the event says, as an answer to the request would say it. */
  readonly answer: RequestAnswer
  /** What such an answer has to repeat. */
  expect(row: Row): Expected
  /** Returns why the event is not about this request, although it repeats what an answer has to. */
  findOther?(row: Row): string | undefined
  /** Returns the end that follows from the outcome, or why none does. */
  endOf(row: Row, outcome: IssuerOutcome, context: DecisionContext): End | string
  /** Returns how the event differs from a request that ended in the same way. */
  findDifference?(row: Row, end: End): Promise<string | undefined>
}

export async function takeOutcome<Row extends ReportedRow, End extends { status: string }>(
  deps: ReportDeps,
  scope: Scope,
  kind: Pick<ReviewKind<Row, End>, 'prefix' | 'object' | 'noun' | 'find' | 'termsOf' | 'refusalOf'>,
  report: Report<Row, End>,
): Promise<Taken> {
  const { clock } = deps
  const { event, answer } = report
  const row = await kind.find(scope, answer.token)
  if (row === undefined) return 'not_found'
  const object = formatId(kind.prefix, row.id)
  const refuse = (problem: string) => contradict(deps, scope, { object, createdAt: row.created_at, event, problem })

  const mismatch = findMismatch(answer, report.expect(row)) ?? report.findOther?.(row)
  if (mismatch !== undefined) return refuse(mismatch)
  const context = { now: clock.now(), since: row.status_at, purpose: 'look_up', lookUpDelaysMs: [] } as const
  const end = report.endOf(row, outcomeOf(answer), context)
  if (typeof end === 'string') return refuse(end)

  if (row.status === end.status) {
    const difference = await report.findDifference?.(row, end)
    return difference === undefined ? 'taken' : refuse(difference)
  }
  if (!OPEN.includes(row.status)) return refuse(`the ${kind.noun} is ${row.status}`)
  const details = { eventId: event.id, data: event.data }
  const verdict = await resolve(deps, kind, row, { actor: ISSUER, from: OPEN, end, by: 'issuer', details })
  // Someone else moved it meanwhile. When the event comes again it is compared with the new state.
  return verdict === 'resolved' ? 'taken' : 'later'
}
