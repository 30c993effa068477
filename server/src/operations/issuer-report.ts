// Takes the late outcome of an operation from the live issuer's signed event.
import { findCard } from '../cards/queries.ts'
import type { Taken } from '../issuer/http/events.ts'
import type { OperationCompleted, OperationFailed } from '../issuer/http/event-schema.ts'
import type { RequestAnswer } from '../issuer/http/protocol.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import type { ReportDeps } from '../issuer/requests/contradictions.ts'
import { takeOutcome } from '../issuer/requests/report.ts'
import type { Settlement } from '../ledger/items.ts'
import { cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { OperationEnd, OperationRow } from './queries.ts'
import { operationReviewKind } from './review.ts'
import { settlementOf } from './rules.ts'

type OutcomeEvent = OperationCompleted | OperationFailed

export function takeOperationOutcome(deps: ReportDeps, scope: Scope, event: OutcomeEvent): Promise<Taken> {
  return takeOutcome(deps, scope, operationReviewKind(deps), {
    event,
    answer: answerIn(event),
    expect: (row) => ({ token: row.id, kinds: [row.type], amount: cents(row.amount) }),
    endOf(row, outcome, context) {
      const settlement = settlementOf(row, outcome, context)
      return isEnd(settlement) ? settlement : 'the answer is not complete: the last four digits are missing'
    },
    findDifference: async (row, end) =>
      (await hasOtherCard(deps, row, end)) ? 'the card has other last four digits' : undefined,
  })
}

function answerIn(event: OutcomeEvent): RequestAnswer {
  return event.type === 'operation.completed'
    ? { ...event.data, outcome: 'done' }
    : { ...event.data, outcome: 'refused' }
}

function isEnd(settlement: Settlement): settlement is Settlement & OperationEnd {
  return settlement.status === 'completed' || settlement.status === 'failed'
}

async function hasOtherCard({ db }: ReportDeps, row: OperationRow, { card }: OperationEnd): Promise<boolean> {
  if (card === undefined || row.card_id === null) return false
  const made = await findCard(db, scopeOf(row), row.card_id)
  return made?.last4 !== card.last4
}
