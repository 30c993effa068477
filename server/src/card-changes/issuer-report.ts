// Takes a card's status from the live issuer's signed event. Without a token the issuer blocked, expired or closed the card
// itself. With a token it is the late outcome of a change that was asked for, which has to pass the checks of an answer. It
// sends nothing to the issuer, and an event that does not match the change or its outcome changes nothing.
import { auditRecord } from '../access/audit.ts'
import { contradict, ISSUER, type ReportDeps } from '../issuer/contradictions.ts'
import { findMismatch, outcomeOf } from '../issuer/http/answer.ts'
import type { Taken } from '../issuer/http/events.ts'
import type { CardStatusChanged, RequestAnswer } from '../issuer/http/protocol.ts'
import { findId, formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { type CardChangeRow, findCardChange, reportCardStatus, resolveCardChange } from './queries.ts'
import { settlementOf } from './rules.ts'
import type { CardChangeStatus } from './states.ts'

/** The request may have been sent, and its outcome is not known. */
const OPEN: readonly CardChangeStatus[] = ['processing', 'manual_review']

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

async function takeChangeOutcome(
  deps: ReportDeps,
  scope: Scope,
  event: CardStatusChanged,
  token: string,
): Promise<Taken> {
  const { db, clock } = deps
  const row = await findCardChange(db, scope, token)
  if (row === undefined) return 'not_found'
  const object = formatId('chg', row.id)
  const refuse = (problem: string) => contradict(deps, scope, { object, createdAt: row.created_at, event, problem })

  const answer = answerIn(event, token)
  const mismatch =
    findMismatch(answer, { token: row.id, kinds: ['card_status'], amount: undefined }) ?? findOther(row, event)
  if (mismatch !== undefined) return refuse(mismatch)
  const now = clock.now()
  const context = { now, since: row.status_at, purpose: 'look_up', lookUpDelaysMs: [] } as const
  const { status, returned, failure } = settlementOf(row, outcomeOf(answer), context)
  if (row.status === status) return 'taken'
  if (!OPEN.includes(row.status)) return refuse(`the change is ${row.status}`)
  const details = { eventId: event.id, data: event.data }
  const record = auditRecord(clock, ISSUER, { action: `issuer.${status}`, object, details })
  const { verdict } = must(
    await resolveCardChange(db, scope, row.id, { now, from: OPEN, status, returned, failure, record }),
  )
  // Someone else moved it meanwhile. When the event comes again it is compared with the new state.
  return verdict === 'resolved' ? 'taken' : 'later'
}

function answerIn({ id, data: { balance, failure } }: CardStatusChanged, token: string): RequestAnswer {
  const request = { token, kind: 'card_status' } as const
  if (failure !== undefined) return { ...request, outcome: 'refused', ...failure }
  return { ...request, outcome: 'done', receipt: id, ...(balance === undefined ? {} : { balance }) }
}

/** Returns why the event is not about this change: it has another card, or a status that its outcome rules out. */
function findOther(row: CardChangeRow, { data }: CardStatusChanged): string | undefined {
  if (findId('card', data.cardId) !== row.card_id) return 'the event is about another card'
  const isMade = data.status === row.wanted
  const isSaidMade = data.failure === undefined
  return isMade === isSaidMade ? undefined : `the card is ${data.status}, and the change was to ${row.wanted}`
}
