// While the live issuer does not answer, operations wait, invoices are refused, and stopping a card is still tried. Metrics
// and logs show the outage. When the issuer answers again, everything resumes by itself.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAUSES_MS } from '../../src/issuer/circuit.ts'
import { examine } from '../../src/cli/maintenance/doctor/checks.ts'
import { checkLiveIssuer } from '../../src/cli/maintenance/doctor/machine.ts'
import { readConfig } from '../../src/config/config.ts'
import { must } from '../../src/lib/invariant.ts'
import type { TestCompany } from '../support/harness.ts'
import { addHolder } from '../api/rows.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld, SECRET } from '../support/live.ts'

let world: LiveWorld
let company: TestCompany
let cardIds: string[]

beforeAll(async () => {
  world = await LiveWorld.start([0], { ISSUER_CALLS_MAX: '2' })
  company = await world.createCompany()
  await world.fund(company, '10000')
  const holderId = await addHolder(world.server, company.scope)
  const makeCard = async () => {
    const id = await order({ type: 'issue', productId: 'prod_card_virtual', amount: '20', holderId })
    const { result } = await world.waitForOperation(company, id, 'completed')
    return (result as { cardId: string }).cardId
  }
  cardIds = [await makeCard(), await makeCard()]
})
afterAll(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
})

async function order(body: object): Promise<string> {
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)
  expect(answer.status).toBe(201)
  return answer.body.id
}
const service = () =>
  order({ type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' })
const metric = async () =>
  (await world.server.request('GET', '/metrics')).text.includes('issuer_circuit_open{environment="live"} 1')
const change = (cardId: string | undefined, action: string) =>
  world.server.post(`/api/v1/cards/${cardId}/${action}`, company.key)

/** The status of an operation, and why it is in review if it is. */
async function describe({ id, status }: { id: string; status: string }): Promise<string> {
  if (status !== 'manual_review') return status
  const { body } = await world.server.get(`/admin/v1/reviews/${id}`, world.server.operatorToken)
  return `${status}: ${JSON.stringify(body['dossier'])}`
}

it('after a few calls without an answer nothing more is sent, and the metrics show it', async () => {
  await world.behave('all', 'fail')
  await world.behave('look_up', 'fail')
  await service()
  await service()
  await expect.poll(metric).toBe(true)
  const waiting = await service()
  const { body } = await world.server.get(`/api/v1/operations/${waiting}`, company.key)
  expect(body['status']).toBe('queued')
  const { text } = await world.server.request('GET', '/metrics')
  expect(text).toMatch(/^issuer_calls_total\{environment="live",outcome="unknown"\} [1-9]/m)
  expect(text).toMatch(/^issuer_call_duration_seconds_count\{environment="live"\} [1-9]/m)
  expect(await world.arrivalsOf(waiting)).toBe(0)
  const checks = await examine({ PUBLIC_URL: world.server.baseUrl, DATA_DIR: '/nonexistent' })
  expect(checks.find(({ name }) => name === 'issuer')).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/live issuer does not answer \(issue, topup, service, /),
  })
})

it('a new invoice is refused, because nothing was sent, and an existing invoice is still returned', async () => {
  const payer = await world.createCompany()
  const refused = await world.server.post(INVOICES, payer.key, { amount: '50' }, 'key')
  expect([refused.status, refused.body['code']]).toEqual([503, 'unavailable'])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  const list = await world.server.get<{ data: unknown[] }>(INVOICES, payer.key)
  expect(list.body.data).toEqual([])
})

it('stopping a card is still tried, and unfreezing it is not', async () => {
  const arrivals = async () => (await world.book()).arrivals.filter(({ kind }) => kind === 'card_status').length
  const before = await arrivals()
  const frozen = await change(cardIds[0], 'freeze')
  expect([frozen.status, frozen.body['pendingStatus']]).toEqual([202, 'frozen'])
  expect(await arrivals()).toBe(before + 1)
  const closed = await change(cardIds[1], 'close')
  expect([closed.status, closed.body['pendingStatus']]).toEqual([202, 'closed'])
  expect(await arrivals()).toBe(before + 2)
  const other = await change(cardIds[0], 'unfreeze')
  expect([other.status, other.body['code']]).toEqual([503, 'unavailable'])
  expect(await arrivals()).toBe(before + 2)
})

it('when the issuer answers again, the waiting operations are carried out', async () => {
  await world.behave('all', 'normal')
  await world.behave('look_up', 'normal')
  world.server.clock.advance(PAUSES_MS.at(-1) ?? 0)
  await expect.poll(metric).toBe(false)
  const newest = async () => {
    const path = '/api/v1/operations?type=service'
    const { body } = await world.server.get<{ data: { id: string; status: string }[] }>(path, company.key)
    return must(body.data[0])
  }
  await expect.poll(async () => describe(await newest())).toBe('completed')
  const payer = await world.createCompany()
  expect((await world.server.post(INVOICES, payer.key, { amount: '50' }, 'key')).status).toBe(201)
})

it('the doctor asks the issuer itself, and notices another secret', async () => {
  const ask = (secret: string) =>
    checkLiveIssuer(readConfig({ ISSUER_URL: world.issuer.url, ISSUER_SECRET: secret }), world.server.clock)
  expect(await ask(SECRET)).toEqual([
    expect.objectContaining({ status: 'ok' }),
    expect.objectContaining({ status: 'ok', message: expect.stringContaining('1.1, provider reference issuer') }),
    expect.objectContaining({ status: 'ok', message: 'nothing waits for a person' }),
  ])
  expect(await ask('x'.repeat(32))).toEqual([
    expect.objectContaining({ status: 'fail', message: expect.stringMatching(/signature.*Check ISSUER_SECRET/) }),
  ])
})
