// Takes a card payment from the live issuer's event.
import type { CardTransaction } from '../issuer/http/event-schema.ts'
import { findId } from '../lib/ids.ts'
import { cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { ingestTransaction } from './ingest.ts'

export async function takeCardTransaction(
  deps: Parameters<typeof ingestTransaction>[0],
  scope: Scope,
  data: CardTransaction['data'],
): Promise<'taken' | 'not_found' | 'conflict'> {
  const { transactionId, amount, cardAmount, occurredAt, cardId: card, ...rest } = data
  const cardId = findId('card', card)
  if (cardId === undefined) return 'not_found'
  // A payment in another currency must say what it is on the card, in dollars.
  if (rest.currency !== 'USD' && cardAmount === undefined) return 'conflict'
  const { kind } = await ingestTransaction(deps, scope, {
    ...rest,
    issuerId: transactionId,
    cardId,
    amount: parseSigned(amount),
    ...(cardAmount === undefined ? {} : { cardAmount: cents(parseSigned(cardAmount)) }),
    occurredAt: new Date(occurredAt),
  })
  return kind === 'no_card' ? 'not_found' : 'taken'
}

/** Parses text that a schema has checked: an optional minus, digits, a point, two digits. */
function parseSigned(text: string): bigint {
  return BigInt(text.replace('.', ''))
}
