// Closing a card: the issuer is asked once per change, and the card's balance returns to the account once.
import { sql } from '../../../../src/db/sql.ts'
import { OUTCOMES, type Outcome } from '../wire.ts'
import type { Scenario } from '../scenario.ts'
import { addCard, CARD_BALANCE, createSubject, type Subject } from '../subject.ts'
import type { World } from '../world.ts'
import { readCards } from './operations.ts'

function readChanges({ db }: World, { scope }: Subject) {
  return db.many<{ id: string; status: string }>(sql`
    select id, status from card_change
    where company_id = ${scope.companyId} and environment = ${scope.environment}`)
}

export const cardClose: Scenario = {
  name: 'card close',
  serves: ['/api/v1/cards/:id/close'],
  outcomes: OUTCOMES,
  prepare: async (world) => addCard(world, await createSubject(world, 'live')),
  arrange(world, outcome) {
    world.wire.outcome = outcome as Outcome
  },
  request: ({ cardId, key }) => ({ method: 'POST', path: `/api/v1/cards/${cardId}/close`, token: key }),
  async isSettled(world, subject) {
    const changes = await readChanges(world, subject)
    return world.wire.underWay === 0 && changes.length > 0 && changes.every(({ status }) => status !== 'processing')
  },
  async check(world, subject) {
    const problems: string[] = []
    const changes = await readChanges(world, subject)
    let done = 0
    for (const { id, status } of changes) {
      const isDone = world.wire.issuer.hasDone(id)
      if (isDone) done += 1
      if (status !== (isDone ? 'completed' : 'failed'))
        problems.push(`change ${id} is ${status}, and the issuer ${isDone ? 'has' : 'has not'} carried it out`)
    }
    const [card] = await readCards(world, subject)
    const isClosed = card?.status === 'closed'
    // If no node lived to ask the issuer before, the repeated request meets the outcome, and the card may stay open.
    if (done > 1 || isClosed !== (done === 1))
      problems.push(`the card is ${card?.status} after ${done} closings at the issuer`)
    const { companyId, environment } = subject.scope
    const account = await world.db.find<{ available: bigint }>(sql`
      select available from account where company_id = ${companyId} and environment = ${environment}`)
    const returned = isClosed ? CARD_BALANCE : 0n
    if (account?.available !== subject.funds + returned) problems.push(`the account has ${account?.available}`)
    return problems
  },
}
