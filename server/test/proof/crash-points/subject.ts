// What a scenario acts on: a company of its own with funds and a cardholder, and a card if it needs one. They are made with the
// product's own functions where there are some.
import { randomUUID } from 'node:crypto'
import { programActor } from '../../../src/access/audit.ts'
import { changeCapabilities, createCompany, decideVerification } from '../../../src/companies/companies.ts'
import { createKey } from '../../../src/keys/keys.ts'
import { PERMISSIONS } from '../../../src/access/permissions.ts'
import { sql } from '../../../src/db/sql.ts'
import { deposit } from '../../../src/ledger/deposit.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { cents } from '../../../src/lib/money.ts'
import type { Environment, Scope } from '../../../src/lib/scope.ts'
import type { World } from './world.ts'

const ACTOR = programActor('test')
const FUNDS = 100_000n
/** Of the card that addCard makes. */
export const CARD_BALANCE = 4_000n

export interface Subject {
  readonly scope: Scope
  readonly key: string
  readonly keyId: string
  readonly holderId: string
  /** Empty if there is no card. */
  readonly cardId: string
  /** What is available before the scenario. */
  readonly funds: bigint
  /** The idempotency key of the client's request. */
  readonly requestKey: string
  readonly operatorToken: string
}

export async function createSubject(world: World, environment: Environment): Promise<Subject> {
  const { db, time: clock } = world
  const access = { db, clock, keyring: world.node.app.keyring }
  const company = await createCompany(access, ACTOR, { name: 'Test company', kind: 'corporate' })
  const scope = { companyId: company.id, environment }
  await decideVerification(access, ACTOR, company.id, { decision: 'approve' })
  await changeCapabilities(access, ACTOR, company.id, { liveServices: true, directInvoices: true })
  const { key, row } = await createKey(access, ACTOR, company.id, { environment, scopes: PERMISSIONS, name: 'test' })
  const funds = { amount: cents(FUNDS), fee: cents(0n), idempotencyKey: 'funds', digest: '00'.repeat(32) }
  await deposit({ db, clock }, scope, funds)
  const holderId = await addHolder(world, scope)
  return {
    scope,
    key,
    keyId: formatId('key', row.id),
    holderId: formatId('hld', holderId),
    cardId: '',
    funds: FUNDS,
    requestKey: randomUUID(),
    operatorToken: world.operatorToken,
  }
}

async function addHolder({ db, time }: World, { companyId, environment }: Scope): Promise<string> {
  const id = newId(time.now())
  await db.run(sql`
    insert into holder (company_id, environment, id, name, email, kind, status, created_at)
    values (${companyId}, ${environment}, ${id}, 'Ada', 'ada@example.com', 'individual', 'active', ${time.now()})`)
  return id
}

/** Has the issuer make a card. The world must have a node that serves operations. */
export async function addCard(world: World, subject: Subject): Promise<Subject> {
  const { key, holderId, scope } = subject
  const body = { type: 'issue', productId: 'prod_card_virtual', amount: '40', holderId }
  const answer = await world.send({ method: 'POST', path: '/api/v1/operations', token: key, key: 'card', body })
  const read = () =>
    world.db.find<{ card_id: string; cost: bigint }>(sql`
      select card_id, amount + fee as cost from operation
      where company_id = ${scope.companyId} and environment = ${scope.environment} and status = 'completed'
        and id = ${findId('op', String(answer?.body['id'])) ?? null}`)
  await world.until('the card is issued', async () => (await read()) !== undefined)
  const { card_id, cost } = must(await read())
  return { ...subject, cardId: formatId('card', card_id), funds: FUNDS - cost }
}
