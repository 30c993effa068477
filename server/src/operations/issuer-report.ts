// Takes the late outcome of an operation from the live issuer's signed event. It ends a review, or an operation whose outcome
// is still being looked up, after the checks that an answer has to pass. It sends nothing to the issuer, and an event that
// does not match the operation or its outcome changes nothing.
import { auditRecord } from '../access/audit.ts'
import { findCard } from '../cards/queries.ts'
import { contradict, ISSUER, type ReportDeps } from '../issuer/contradictions.ts'
import { findMismatch, outcomeOf } from '../issuer/http/answer.ts'
import type { Taken } from '../issuer/http/events.ts'
import type { OperationCompleted, OperationFailed, RequestAnswer } from '../issuer/http/protocol.ts'
import type { Settlement } from '../ledger/items.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { findOperation, type OperationRow, resolveOperation } from './queries.ts'
import { settlementOf } from './rules.ts'
import type { OperationStatus } from './states.ts'

/** The request may have been sent, and its outcome is not known. */
const OPEN: readonly OperationStatus[] = ['processing', 'manual_review']

type OutcomeEvent = OperationCompleted | OperationFailed
type End = Settlement & { readonly status: 'completed' | 'failed' }

export async function takeOperationOutcome(deps: ReportDeps, scope: Scope, event: OutcomeEvent): Promise<Taken> {
  const { db, clock } = deps
  const row = await findOperation(db, scope, event.data.token)
  if (row === undefined) return 'not_found'
  const object = formatId('op', row.id)
  const refuse = (problem: string) => contradict(deps, scope, { object, createdAt: row.created_at, event, problem })

  const answer = answerIn(event)
  const mismatch = findMismatch(answer, { token: row.id, kinds: [row.type], amount: cents(row.amount) })
  if (mismatch !== undefined) return refuse(mismatch)
  const now = clock.now()
  const context = { now, since: row.status_at, purpose: 'look_up', lookUpDelaysMs: [] } as const
  const settlement = settlementOf(row, outcomeOf(answer), context)
  if (!isEnd(settlement)) return refuse('the answer is not complete: the last four digits are missing')

  if (row.status === settlement.status) {
    return (await hasOtherCard(deps, scope, row, settlement)) ? refuse('the card has other last four digits') : 'taken'
  }
  if (!OPEN.includes(row.status)) return refuse(`the operation is ${row.status}`)
  const { status, receipt = null, card = null, failure = null } = settlement
  const details = { eventId: event.id, data: event.data }
  const record = auditRecord(clock, ISSUER, { action: `issuer.${status}`, object, details })
  const resolution = { from: OPEN, status, receipt, card, failure }
  const { verdict } = must(await resolveOperation(db, scope, row.id, now, resolution, record))
  // Someone else moved it meanwhile. When the event comes again it is compared with the new state.
  return verdict === 'resolved' ? 'taken' : 'later'
}

function answerIn(event: OutcomeEvent): RequestAnswer {
  return event.type === 'operation.completed'
    ? { ...event.data, outcome: 'done' }
    : { ...event.data, outcome: 'refused' }
}

function isEnd(settlement: Settlement): settlement is End {
  return settlement.status === 'completed' || settlement.status === 'failed'
}

async function hasOtherCard({ db }: ReportDeps, scope: Scope, row: OperationRow, { card }: End): Promise<boolean> {
  if (card === undefined || row.card_id === null) return false
  const made = await findCard(db, scope, row.card_id)
  return made?.last4 !== card.last4
}
