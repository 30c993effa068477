// An issuer that can fence tokens makes reviews unnecessary: a request that it did not carry out never will be, and the
// operation fails with its funds released. Without the fence, "not found" is no evidence.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { findId } from '../../src/lib/ids.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld, SECRET } from '../support/live.ts'
import { createAbout } from '../../src/issuer/http/about.ts'
import { createHttpIssuer } from '../../src/issuer/http/issuer.ts'
import { cents } from '../../src/lib/money.ts'

let world: LiveWorld
let company: TestCompany

beforeAll(async () => {
  world = await LiveWorld.start([0, 0], { ISSUER_FENCE: 'true' })
  company = await world.createCompany()
  await world.fund(company, '10000')
})
afterAll(() => world.stop())
// Requests that are not answered, five in a row, would stop those of the next test.
beforeEach(async () => world.waitForOperation(company, await order(), 'completed'))
afterEach(async () => {
  await world.setFence(true)
  await world.behave('all', 'normal')
  await world.behave('look_up', 'normal')
  await expectSoundLedger(world.server)
})

async function order(): Promise<string> {
  const body = { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' }
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)
  expect(answer.status).toBe(201)
  return answer.body.id
}
const readBalance = async () => (await world.server.get('/api/v1/balance', company.key)).body
const connect = () => {
  const peer = { baseUrl: world.issuer.url, secret: SECRET, clock: world.server.clock, timeoutMs: 10_000 }
  const limits = { invoiceMinimum: cents(1_000n), callsMax: 1, hasFence: true }
  return createHttpIssuer({ ...peer, ...limits, about: createAbout(peer) })
}

it.each(['fail', 'garbage'] as const)('a request that got lost (%s) fails, with its funds released', async (mode) => {
  await world.behave('all', mode, { times: 1 })
  const before = await readBalance()
  const id = await order()
  const operation = await world.waitForOperation(company, id, 'failed')
  expect(operation['failure']).toMatchObject({ code: 'not_carried_out' })
  expect(await readBalance()).toEqual(before)
  expect(await world.arrivalsOf(id)).toBe(1)
})

it('a request that was carried out completes, however its answer was lost', async () => {
  await world.behave('all', 'act_then_fail', { times: 1 })
  const operation = await world.waitForOperation(company, await order(), 'completed')
  expect(operation['result']).toMatchObject({ receipt: expect.any(String) })
})

it('a request that arrives after the fence is refused by the issuer, and carries nothing out', async () => {
  await world.behave('all', 'fail', { times: 1 })
  const id = await order()
  await world.waitForOperation(company, id, 'failed')
  const token = findId('op', id) ?? ''
  const late = { scope: company.scope, token, amount: cents(2_000n), productId: 'p', recipient: 'a@example.com' }
  expect(await connect().orderService(late)).toMatchObject({ kind: 'declined', code: 'fenced' })
  expect((await world.book()).requests.filter((request) => request.token === token)).toEqual([])
})

it('an invoice that was never created fails, and another can be created immediately', async () => {
  const payer = await world.createCompany()
  await world.behave('invoice', 'fail', { times: 1 })
  const { body } = await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' })
  const invoice = await world.waitForInvoice(payer, body.id, 'failed')
  expect(invoice.failure).toMatchObject({ code: 'not_carried_out' })
  expect((await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' })).status).toBe(201)
})

it('without a fence a person decides', async () => {
  await world.setFence(false)
  await world.behave('all', 'fail', { times: 1 })
  const operation = await world.waitForOperation(company, await order(), 'manual_review')
  expect(operation).not.toHaveProperty('failure')
})

it('a fence whose answer is lost does not rule the request out', async () => {
  await world.behave('all', 'fail', { times: 1 })
  await world.behave('look_up', 'garbage')
  const operation = await world.waitForReview(company, `/api/v1/operations/${await order()}`)
  expect(operation).not.toHaveProperty('failure')
})
