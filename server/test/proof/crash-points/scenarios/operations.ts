// Issuing a card, topping one up, and ordering a service from the live issuer.
import { findId } from '../../../../src/lib/ids.ts'
import { sql } from '../../../../src/db/sql.ts'
import { OUTCOMES, type Outcome } from '../wire.ts'
import type { Asked, Scenario } from '../scenario.ts'
import { addCard, CARD_BALANCE, createSubject, type Subject } from '../subject.ts'
import type { World } from '../world.ts'

interface OperationRow {
  id: string
  status: string
  amount: bigint
  fee: bigint
}

export async function findOperations({ db }: World, { scope, requestKey }: Subject): Promise<OperationRow[]> {
  return db.many<OperationRow>(sql`
    select id, status, amount, fee from operation
    where company_id = ${scope.companyId} and environment = ${scope.environment} and idempotency_key = ${requestKey}`)
}

const FINAL = ['completed', 'failed', 'manual_review']

export async function isOperationSettled(world: World, subject: Subject): Promise<boolean> {
  const rows = await findOperations(world, subject)
  return world.wire.underWay === 0 && rows.length > 0 && rows.every(({ status }) => FINAL.includes(status))
}

/** Every answer names the one operation, whose money and events fit its status. */
export async function checkOperation(world: World, subject: Subject, asked: readonly Asked[]): Promise<string[]> {
  const rows = await findOperations(world, subject)
  const [row] = rows
  if (row === undefined || rows.length > 1) return [`the key has ${rows.length} operations`]
  const problems: string[] = []
  for (const { answer } of asked) {
    if (answer === undefined || answer.status >= 500) continue
    const { status, body } = answer
    const isSame = (status === 200 || status === 201) && findId('op', String(body['id'])) === row.id
    if (!isSame) problems.push(`an answer ${status} is not about operation ${row.id}: ${JSON.stringify(body)}`)
  }
  const { companyId, environment } = subject.scope
  const account = await world.db.find<{ available: bigint; held: bigint }>(sql`
    select available, held from account where company_id = ${companyId} and environment = ${environment}`)
  const total = row.amount + row.fee
  const isOpen = row.status === 'manual_review'
  const expected = { available: subject.funds - (row.status === 'failed' ? 0n : total), held: isOpen ? total : 0n }
  if (account?.available !== expected.available || account.held !== expected.held)
    problems.push(`a ${row.status} operation left ${account?.available} available and ${account?.held} held`)
  const events = await world.db.many<{ type: string }>(sql`
    select type from event where company_id = ${companyId} and environment = ${environment} and object_id = ${row.id}`)
  const ends = events.filter(({ type }) => FINAL.some((status) => type === `operation.${status}`))
  if (ends.length !== 1 || ends[0]?.type !== `operation.${row.status}`)
    problems.push(`a ${row.status} operation has the events ${events.map(({ type }) => type).join(', ')}`)
  return problems
}

/** The issuer's look-ups with a fence decide every outcome, so a review is needless. */
async function checkLive(world: World, subject: Subject, asked: readonly Asked[], outcome: string): Promise<string[]> {
  const problems = await checkOperation(world, subject, asked)
  const [row] = await findOperations(world, subject)
  if (row === undefined) return problems
  const isDone = world.wire.issuer.hasDone(row.id)
  if (isDone !== (row.status === 'completed'))
    problems.push(`the operation is ${row.status}, and the issuer ${isDone ? 'has' : 'has not'} carried it out`)
  if (outcome === 'refuses' && row.status === 'completed') problems.push('a refused operation is completed')
  return problems
}

function operationScenario(name: string, parts: Pick<Scenario, 'request'> & Partial<Scenario>): Scenario {
  return {
    name,
    serves: ['/api/v1/operations'],
    outcomes: OUTCOMES,
    object: 'operation',
    prepare: (world) => createSubject(world, 'live'),
    arrange(world, outcome) {
      world.wire.outcome = outcome as Outcome
    },
    isSettled: isOperationSettled,
    check: checkLive,
    ...parts,
  }
}

export const order = (subject: Subject, body: Record<string, unknown>) => ({
  method: 'POST' as const,
  path: '/api/v1/operations',
  token: subject.key,
  key: subject.requestKey,
  body,
})

export const issue = operationScenario('issue', {
  request: (subject) =>
    order(subject, { type: 'issue', productId: 'prod_card_virtual', amount: '100', holderId: subject.holderId }),
  async check(world, subject, asked, outcome) {
    const problems = await checkLive(world, subject, asked, outcome)
    const [row] = await findOperations(world, subject)
    const made = await readCards(world, subject)
    const expected = row?.status === 'completed' ? [10_000n] : []
    if (made.map(({ balance }) => balance).join(',') !== expected.join(','))
      problems.push(`a ${row?.status} issue made ${made.length} cards`)
    return problems
  },
})

export const topUp = operationScenario('top-up', {
  prepare: async (world) => addCard(world, await createSubject(world, 'live')),
  request: (subject) => order(subject, { type: 'topup', cardId: subject.cardId, amount: '50' }),
  async check(world, subject, asked, outcome) {
    const problems = await checkLive(world, subject, asked, outcome)
    const [row] = await findOperations(world, subject)
    const [card] = await readCards(world, subject)
    const expected = CARD_BALANCE + (row?.status === 'completed' ? 5_000n : 0n)
    if (card?.balance !== expected) problems.push(`a ${row?.status} top-up left ${card?.balance} on the card`)
    return problems
  },
})

export const service = operationScenario('service', {
  request: (subject) =>
    order(subject, { type: 'service', productId: 'prod_service_vpn', amount: '49', recipient: 'a@example.com' }),
})

export function readCards({ db }: World, { scope }: Subject) {
  return db.many<{ id: string; balance: bigint; status: string }>(sql`
    select id, balance, status from card
    where company_id = ${scope.companyId} and environment = ${scope.environment} order by id`)
}
