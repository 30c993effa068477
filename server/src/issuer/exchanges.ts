// Keeps what was sent to an issuer and what came back: the evidence that a review is decided on.
import type { Db } from '../db/pool.ts'
import { formatId, newId, type Prefix } from '../lib/ids.ts'
import { cents, formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { toStorable } from '../lib/storable.ts'
import type { AnyOutcome, LookUpOutcome } from './port.ts'
import { type ExchangeRow, insertExchange, listCertainAnswers, listExchanges } from './queries.ts'

/** More look-ups than any issuer's schedule has. */
const EXCHANGES_MAX = 50

/** What was asked of the issuer. Fields that a request does not have are left out or null. */
export interface Asked {
  readonly prefix: Extract<Prefix, 'op' | 'inv' | 'chg'>
  readonly id: string
  readonly type?: string
  readonly amount?: bigint
  readonly productId?: string
  readonly holderId?: string | null
  readonly cardId?: string | null
  readonly name?: string | null
  readonly recipient?: string | null
  readonly status?: string
}

/** Returns the request in the words of the API. */
export function describeRequest({
  prefix,
  id,
  type,
  amount,
  holderId,
  cardId,
  ...rest
}: Asked): Record<string, string> {
  const { productId, name, recipient, status } = rest
  const fields = {
    token: formatId(prefix, id),
    type,
    amount: amount === undefined ? undefined : formatCents(amount),
    productId,
    holderId: holderId && formatId('hld', holderId),
    cardId: cardId && formatId('card', cardId),
    name,
    recipient,
    status,
  }
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
  )
}

export interface Exchange {
  readonly purpose: 'request' | 'look_up'
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly outcome: AnyOutcome
}

/**
 * Call it before settling: should the process die in between, the evidence is there and the object is looked up. An
 * exchange that did not take place is not kept.
 */
export async function recordExchange(db: Db, scope: Scope, asked: Asked, exchange: Exchange): Promise<void> {
  const { purpose, startedAt, finishedAt } = exchange
  if (exchange.outcome.kind === 'not_asked') return
  const { kind, answered: _, ...received } = { answered: undefined, ...exchange.outcome }
  await insertExchange(db, scope, asked.id, {
    id: newId(finishedAt),
    purpose,
    sent: toJson(purpose === 'request' ? describeRequest(asked) : { token: formatId(asked.prefix, asked.id) }),
    received: toJson(received),
    outcome: kind,
    started_at: startedAt,
    finished_at: finishedAt,
  })
}

export type CertainAnswer = Extract<LookUpOutcome, { kind: 'confirmed' | 'declined' | 'absent' }>

/**
 * Returns the certain answer that was kept about an object. Read it before a person has to decide: the process that kept it may
 * have died before it could settle, and a later look-up may tell less. Answers that contradict each other are left to a person.
 */
export async function findCertainAnswer(db: Db, scope: Scope, objectId: string): Promise<CertainAnswer | undefined> {
  const [newest, ...others] = await listCertainAnswers(db, scope, objectId, EXCHANGES_MAX)
  if (newest === undefined || others.some(({ outcome }) => outcome !== newest.outcome)) return undefined
  const { outcome: kind, received } = newest
  const { receipt = '', last4, balance, code = '', message = '' } = received
  switch (kind) {
    case 'absent':
      return { kind }
    case 'declined':
      return { kind, code, message }
    case 'confirmed':
      return {
        kind,
        receipt,
        ...(last4 === undefined ? {} : { last4 }),
        ...(balance === undefined ? {} : { balance: cents(BigInt(balance)) }),
      }
  }
}

/** JSON has no large integers; amounts are written as text. */
function toJson(value: unknown): string {
  return toStorable(
    JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? field.toString() : field)),
  )
}

/** The newest exchanges about an object, oldest first, as a dossier shows them. */
export async function describeExchanges(db: Db, scope: Scope, objectId: string) {
  const rows = await listExchanges(db, scope, objectId, EXCHANGES_MAX)
  return rows.toReversed().map(toWire)
}

function toWire({ purpose, sent, received, outcome, started_at, finished_at }: ExchangeRow) {
  return {
    purpose,
    sent,
    received,
    outcome,
    startedAt: started_at.toISOString(),
    finishedAt: finished_at?.toISOString() ?? null,
  }
}
