// Tells the server the outcome of a request by an event, because nobody can know whether the server still waits for the answer.
import type { Db } from '../../db/pool.ts'
import type { CardStatusChanged, OperationCompleted, OperationFailed } from '../../issuer/http/event-schema.ts'
import type { RequestAnswer, RequestBody } from '../../issuer/http/protocol.ts'
import { formatId } from '../../lib/ids.ts'
import { insertEvent } from '../outbox/queries.ts'
import { updateCardStatus } from './objects/queries.ts'
import type { RequestState } from './queries.ts'

/** Longer than it takes the server to store an answer, and not so long that an operation whose answer was lost waits for its last look-up. */
const REPORT_DELAY_MS = 30_000

type Outcome = OperationCompleted | OperationFailed | CardStatusChanged

/** In the transaction that stores the answer. */
export async function reportOutcome(
  tx: Db,
  state: RequestState,
  answer: RequestAnswer,
  { isLate, now }: { isLate: boolean; now: Date },
): Promise<void> {
  const { content, token } = state
  const isDone = answer.outcome === 'done'
  if (content.kind === 'card_status' && isDone) await updateCardStatus(tx, content.cardId, content.status)
  // A card that was made and not paid for was closed again.
  if (content.kind === 'issue' && !isDone && content.cardId !== undefined) {
    await updateCardStatus(tx, content.cardId, 'closed')
  }
  const companyId = formatId('co', state.company_id)
  const id = `outcome_${token.replaceAll('-', '')}`
  const base = { id, createdAt: now.toISOString(), companyId }
  const event = toEvent(base, content, answer, state.card?.status ?? 'active')
  // Usually the answer arrives. The event comes after it and changes nothing then.
  const at = isLate ? now : new Date(now.getTime() + REPORT_DELAY_MS)
  if (event !== undefined) await insertEvent(tx, { id, body: JSON.stringify(event), at })
}

function toEvent(
  base: Pick<Outcome, 'id' | 'createdAt' | 'companyId'>,
  content: RequestBody,
  answer: RequestAnswer,
  status: string,
): Outcome | undefined {
  const { token } = answer
  if (content.kind === 'issue' || content.kind === 'topup') {
    const about = { token, kind: content.kind, amount: content.amount }
    if (answer.outcome === 'refused') {
      return { ...base, type: 'operation.failed', data: { ...about, code: answer.code, message: answer.message } }
    }
    if (answer.kind !== 'issue' && answer.kind !== 'topup') return undefined
    const last4 = answer.last4 === undefined ? {} : { last4: answer.last4 }
    return { ...base, type: 'operation.completed', data: { ...about, receipt: answer.receipt, ...last4 } }
  }
  if (content.kind !== 'card_status') return undefined
  const { cardId } = content
  if (answer.outcome === 'refused') {
    const failure = { code: answer.code, message: answer.message }
    // What the card is now is another status than the one that was asked for.
    const data = { token, cardId, status: status as CardStatusChanged['data']['status'], failure }
    return { ...base, type: 'card.status', data }
  }
  const balance = answer.kind === 'card_status' && answer.balance !== undefined ? { balance: answer.balance } : {}
  return { ...base, type: 'card.status', data: { token, cardId, status: content.status, ...balance } }
}
