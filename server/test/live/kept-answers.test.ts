// A process keeps what the issuer answered and may die before it settles. If later look-ups tell nothing, the kept answer decides,
// and nobody has to.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { addHolder } from '../api/rows.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld } from '../support/live.ts'
import { until } from '../support/wait.ts'

/** Keeps the answer that a test chooses beside each that told nothing. */
const KEEP_ANOTHER = `
  create table kept (outcome text, received jsonb);
  create function keep_another() returns trigger language plpgsql as $$
  begin
    insert into exchange (company_id, environment, object_id, id, purpose, sent, received, outcome, started_at, finished_at)
    select new.company_id, new.environment, new.object_id, gen_random_uuid(), 'look_up', '{}', k.received, k.outcome,
           new.started_at, new.finished_at
    from kept k;
    return null;
  end $$;
  create trigger keep_another after insert on exchange for each row when (new.outcome = 'unknown') execute function keep_another()`

const DECLINED = ['declined', { code: 'limit', message: 'Not today.' }] as const
const ABSENT = ['absent', {}] as const

let world: LiveWorld
let company: TestCompany
let holderId: string
let cardId: string

const run = (text: string, values: unknown[] = []) => world.server.db.run({ name: undefined, text, values })

beforeAll(async () => {
  // The first look-up is the last, so that there is no other chance to find the kept answer.
  world = await LiveWorld.start([0])
  await run(KEEP_ANOTHER)
  company = await world.createCompany()
  holderId = await addHolder(world.server, company.scope)
  await world.fund(company, '10000')
  const { result } = await world.waitForOperation(company, await issueCard(), 'completed')
  cardId = (result as { cardId: string }).cardId
  // Requests get no usable answer, and look-ups find nothing, which tells nothing without a fence.
  await world.behave('all', 'fail')
  await world.behave('look_up', 'normal')
})
beforeEach(() => run('delete from kept'))
afterAll(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
})

async function keep(...answers: (readonly [outcome: string, received: object])[]): Promise<void> {
  for (const [outcome, received] of answers) await run('insert into kept values ($1, $2)', [outcome, received])
}

async function issueCard(): Promise<string> {
  const body = { type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId }
  return (await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)).body.id
}

it.each([
  ['a refusal', DECLINED, 'limit'],
  ['the promise that it never will be carried out', ABSENT, 'not_carried_out'],
])('an operation fails by %s', async (_, answer, code) => {
  await keep(answer)
  const operation = await world.waitForOperation(company, await issueCard(), 'failed')
  expect(operation).toMatchObject({ failure: { code } })
})

it('an operation is completed by a confirmation', async () => {
  await keep(['confirmed', { receipt: 'R-1', last4: '4242' }])
  const operation = await world.waitForOperation(company, await issueCard(), 'completed')
  expect(operation).toMatchObject({ result: { receipt: 'R-1' } })
  const { cardId: made } = operation['result'] as { cardId: string }
  expect((await world.server.get(`/api/v1/cards/${made}`, company.key)).body).toMatchObject({ last4: '4242' })
})

it('answers that contradict each other are left to a person', async () => {
  await keep(DECLINED, ['confirmed', { receipt: 'R-1', last4: '4242' }])
  const operation = await world.waitForOperation(company, await issueCard(), 'manual_review')
  expect(operation).toMatchObject({ status: 'manual_review' })
})

it('an invoice fails by a refusal', async () => {
  await keep(DECLINED)
  const { body } = await world.server.post<Invoice>(INVOICES, company.key, { amount: '50' })
  const invoice = await world.waitForInvoice(company, body.id, 'failed')
  expect(invoice).toMatchObject({ failure: { code: 'limit' } })
})

it('a change of a card is completed by a confirmation', async () => {
  await keep(['confirmed', { receipt: 'R-2' }])
  expect((await world.server.post(`/api/v1/cards/${cardId}/freeze`, company.key)).status).toBe(202)
  const readCard = async () =>
    (await world.server.get<{ status: string }>(`/api/v1/cards/${cardId}`, company.key)).body.status
  await until('the card is frozen', async () => (await readCard()) === 'frozen')
})
