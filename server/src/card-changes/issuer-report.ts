// Takes a card's status from the live issuer's event: the issuer blocked, expired or closed the card itself.
import type { Db } from '../db/pool.ts'
import type { CardStatusChanged } from '../issuer/http/protocol.ts'
import type { Clock } from '../lib/clock.ts'
import { findId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { reportCardStatus } from './queries.ts'

export async function takeCardStatus(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  data: CardStatusChanged['data'],
): Promise<'taken' | 'not_found'> {
  const cardId = findId('card', data.cardId)
  if (cardId === undefined) return 'not_found'
  const balance = data.balance === undefined ? null : parseCents(data.balance)
  const report = { cardId, status: data.status, balance, now: clock.now() }
  const { found } = must(await reportCardStatus(db, scope, report))
  return found ? 'taken' : 'not_found'
}
