// Takes a card's status from the live issuer's signed event. Without a token the issuer blocked, expired or closed the card
// itself. With a token it is the late outcome of a change that was asked for, which has to pass the checks of an answer.
import type { Taken } from '../issuer/http/events.ts'
import type { CardStatusChanged } from '../issuer/http/event-schema.ts'
import type { RequestAnswer } from '../issuer/http/protocol.ts'
import type { ReportDeps } from '../issuer/requests/contradictions.ts'
import { takeOutcome } from '../issuer/requests/report.ts'
import { findId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { formatCents, parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { type CardChangeEnd, type CardChangeRow, reportCardStatus } from './queries.ts'
import { cardChangeReviewKind } from './review.ts'
import { settlementOf } from './rules.ts'

export async function takeCardStatus(deps: ReportDeps, scope: Scope, event: CardStatusChanged): Promise<Taken> {
  const { data } = event
  if (data.token !== undefined) return takeChangeOutcome(deps, scope, event, data.token)
  const cardId = findId('card', data.cardId)
  if (cardId === undefined) return 'not_found'
  // A failure belongs to a change, and only a token names one.
  if (data.failure !== undefined) return 'conflict'
  const balance = data.balance === undefined ? null : parseCents(data.balance)
  const report = { cardId, status: data.status, balance, now: deps.clock.now() }
  const { found } = must(await reportCardStatus(deps.db, scope, report))
  return found ? 'taken' : 'not_found'
}

function takeChangeOutcome(deps: ReportDeps, scope: Scope, event: CardStatusChanged, token: string): Promise<Taken> {
  return takeOutcome(deps, scope, cardChangeReviewKind(deps), {
    event,
    answer: answerIn(event, token),
    expect: (row) => ({ token: row.id, kinds: ['card_status'], amount: undefined }),
    findOther: (row) => findOther(row, event),
    endOf(row, outcome, context) {
      const { status, returned, failure } = settlementOf(row, outcome, context)
      return status === 'completed' || status === 'failed'
        ? { status, returned, failure }
        : 'the answer is not complete'
    },
    findDifference: async (row, end) => findShortage(row, end),
  })
}

function answerIn({ id, data: { balance, failure } }: CardStatusChanged, token: string): RequestAnswer {
  const request = { token, kind: 'card_status' } as const
  if (failure !== undefined) return { ...request, outcome: 'refused', ...failure }
  return { ...request, outcome: 'done', receipt: id, ...(balance === undefined ? {} : { balance }) }
}

/**
 * Returns that a close credited more than the issuer says was left, such as by the decision of a person who left the amount out. It may have
 * credited less: closing_credit.sql says why.
 */
function findShortage({ returned: credited }: CardChangeRow, { returned: left }: CardChangeEnd): string | undefined {
  if (credited === null || left === null || credited <= left) return undefined
  return `${formatCents(left)} USD was left on the card, and ${formatCents(credited)} USD returned to the company`
}

/** Returns why the event is not about this change: it has another card, or a status that its outcome rules out. */
function findOther(row: CardChangeRow, { data }: CardStatusChanged): string | undefined {
  if (findId('card', data.cardId) !== row.card_id) return 'the event is about another card'
  const isMade = data.status === row.wanted
  const isSaidMade = data.failure === undefined
  return isMade === isSaidMade ? undefined : `the card is ${data.status}, and the change was to ${row.wanted}`
}
