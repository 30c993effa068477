// Every way in which the issuer can misbehave, for every kind of request: the resulting state, the held funds, and that at
// most one request arrived.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import type { Mode } from '../../src/adapter/reference/behaviour.ts'
import { findId } from '../../src/lib/ids.ts'
import { addHolder } from '../api/rows.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld, SHORT_TIMEOUT } from '../support/live.ts'

/** The resulting status of an operation and of an invoice. A look-up finds what was carried out, even if the answer was lost. */
const OUTCOMES: readonly [Mode, operation: string, invoice: string][] = [
  ['normal', 'completed', 'pending'],
  ['refuse', 'failed', 'failed'],
  ['delay', 'completed', 'pending'],
  ['hang', 'manual_review', 'manual_review'],
  ['act_then_hang', 'completed', 'pending'],
  ['fail', 'manual_review', 'manual_review'],
  ['act_then_fail', 'completed', 'pending'],
  ['garbage', 'manual_review', 'manual_review'],
  ['act_then_garbage', 'completed', 'pending'],
  ['act_then_cut', 'completed', 'pending'],
  ['unsigned', 'completed', 'pending'],
  ['wrong_amount', 'completed', 'pending'],
]
const OPERATIONS = ['issue', 'topup', 'service'] as const
type Kind = (typeof OPERATIONS)[number]

interface Place {
  readonly world: LiveWorld
  readonly company: TestCompany
  readonly holderId: string
  cardId: string
}
/** Waits for answers longer than any answer takes. */
let patient: Place
/**
 * Does not, for an issuer that never answers. Its time passes, because a look-up that takes too long on a busy machine is made again
 * later.
 */
let impatient: Place
let passing: NodeJS.Timeout
const placeOf = (mode: Mode) => (mode.endsWith('hang') ? impatient : patient)

beforeAll(async () => {
  patient = await setUp(await LiveWorld.start())
  impatient = await setUp(await LiveWorld.start(Array<number>(10).fill(0), SHORT_TIMEOUT))
  passing = setInterval(() => impatient.world.server.clock.advance(1_000), 1_000)
})
afterAll(async () => {
  clearInterval(passing)
  for (const { world } of [patient, impatient]) await world.stop()
})
afterEach(async () => {
  for (const { world } of [patient, impatient]) {
    await world.behave('all', 'normal')
    await world.behave('look_up', 'normal')
    for (const kind of [...OPERATIONS, 'invoice'] as const) await world.behave(kind, 'normal')
    // Most tests leave a request without a valid answer.
    world.passPause()
    await expectSoundLedger(world.server)
  }
})

async function setUp(world: LiveWorld): Promise<Place> {
  const company = await world.createCompany()
  const holderId = await addHolder(world.server, company.scope)
  await world.fund(company, '100000')
  const place: Place = { world, company, holderId, cardId: '' }
  const { result } = await world.waitForOperation(company, await order(place, 'issue'), 'completed')
  place.cardId = (result as { cardId: string }).cardId
  return place
}

async function order({ world, company, holderId, cardId }: Place, kind: Kind): Promise<string> {
  const bodies = {
    issue: { type: 'issue', productId: 'prod_card_virtual', amount: '20', holderId },
    topup: { type: 'topup', amount: '20', cardId },
    service: { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' },
  }
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, bodies[kind])
  expect(answer.status).toBe(201)
  return answer.body.id
}

const readBalance = async ({ world, company }: Place) =>
  (await world.server.get<{ available: string; held: string }>('/api/v1/balance', company.key)).body
const cents = (text: string) => Number(text.replace('.', ''))

describe.each(OPERATIONS)('%s', (kind) => {
  test.each(OUTCOMES)('an issuer that does %s leaves it %s', async (mode, status) => {
    const place = placeOf(mode)
    const { world, company } = place
    await world.behave(kind, mode, { delayMs: 300 })
    const before = await readBalance(place)
    const id = await order(place, kind)
    const operation = await world.waitForOperation(company, id, status)
    const after = await readBalance(place)
    const total = cents(String(operation['total']))
    const paid = cents(before.available) - cents(after.available)
    const held = cents(after.held) - cents(before.held)
    const expected = { completed: [total, 0], failed: [0, 0], manual_review: [total, total] }[status]
    expect([paid, held]).toEqual(expected)
    expect(await world.arrivalsOf(id)).toBe(1)
  })

  test('if the look-ups fail too, the funds stay held until a person decides', async () => {
    const { world, company } = patient
    await world.behave(kind, 'act_then_fail')
    await world.behave('look_up', 'fail')
    const before = await readBalance(patient)
    const id = await order(patient, kind)
    await world.waitForReview(company, `/api/v1/operations/${id}`)
    expect(cents((await readBalance(patient)).held)).toBeGreaterThan(cents(before.held))
    expect(await world.arrivalsOf(id)).toBe(1)
  })

  test('an issuer that is down gets no request, and gets the operation when it is up again', async () => {
    const { world, company } = patient
    await world.listen(false)
    const id = await order(patient, kind)
    await expect
      .poll(
        async () =>
          (await world.server.db.find<{ unsent_count: number }>({
            name: undefined,
            text: 'select unsent_count from operation where company_id = $1 and id = $2',
            values: [company.id, findId('op', id)],
          }))!.unsent_count,
      )
      .toBe(1)
    await world.listen(true)
    world.passPause()
    await world.waitForOperation(company, id, 'completed')
    expect(await world.arrivalsOf(id)).toBe(1)
  })
})

describe('invoice', () => {
  test.each(OUTCOMES)('an issuer that does %s (operations: %s) leaves it %s', async (mode, _operation, status) => {
    const { world } = placeOf(mode)
    const payer = await world.createCompany()
    await world.behave('invoice', mode, { delayMs: 300 })
    const answer = await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' })
    expect(answer.status).toBe(201)
    const invoice = await world.waitForInvoice(payer, answer.body.id, status)
    expect(invoice.reasons).toEqual(status === 'manual_review' ? ['issuer_unknown'] : [])
    expect(invoice.address === null).toBe(status !== 'pending')
    expect(await world.arrivalsOf(invoice.id)).toBe(1)
  })

  test('an issuer that is down gets no request, and the invoice fails', async () => {
    const { world } = patient
    const payer = await world.createCompany()
    await world.listen(false)
    const { body } = await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' }, 'key')
    expect(body).toMatchObject({ status: 'failed', failure: { code: 'issuer_unreachable' } })
    await world.listen(true)
    const again = await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' }, 'key')
    expect(again.body).toEqual(body)
    expect(await world.arrivalsOf(body.id)).toBe(0)
  })

  test('an invoice with an unknown outcome is never requested again, and a payment that the issuer confirms completes it', async () => {
    const { world } = patient
    const payer = await world.createCompany()
    await world.behave('invoice', 'act_then_fail')
    await world.behave('look_up', 'fail')
    const { body } = await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' }, 'key')
    await world.waitForReview(payer, `${INVOICES}/${body.id}`)
    expect((await world.server.post<Invoice>(INVOICES, payer.key, { amount: '50' }, 'key')).body).toEqual(body)
    expect(await world.arrivalsOf(body.id)).toBe(1)
    await world.seePayment(body.id, { paidAt: String(body.createdAt) })
    const completed = await world.waitForInvoice(payer, body.id, 'completed')
    expect(completed.creditAmount).toBe('49.25')
  })
})
