// The issuer's events: who may send them, what a repeated event does, and 1,500 random events in any order.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../src/errors.ts'
import type { Invoice } from '../../../src/funding/schema.ts'
import { EVENTS_PATH, SIGNATURE_HEADER } from '../../../src/issuer/http/protocol.ts'
import { sign } from '../../../src/issuer/http/signature.ts'
import { findId } from '../../../src/lib/ids.ts'
import { formatMicros, parseMicros } from '../../../src/tron/usdt.ts'
import { expectError } from '../expect-error.ts'
import type { TestAnswer, TestCompany } from '../../support/harness.ts'
import { entriesOf, expectSoundLedger, INVOICES } from '../../support/invoices.ts'
import { LiveWorld, SECRET } from '../../support/live.ts'

let world: LiveWorld
beforeAll(async () => {
  world = await LiveWorld.start()
  await world.sendEvents('hold')
})
afterAll(() => world.stop())
afterEach(() => expectSoundLedger(world.server))

interface Settled {
  id: string
  companyId: string
  token: string
  paymentId: string
  amount: string
  paidAt: string
}

function bodyOf({ id, companyId, ...data }: Settled): string {
  return JSON.stringify({ id, type: 'invoice.settled', createdAt: '2026-03-10T12:00:00Z', companyId, data })
}

function post(body: string, signature: string | undefined): Promise<TestAnswer> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (signature !== undefined) headers[SIGNATURE_HEADER] = signature
  return world.server.request('POST', EVENTS_PATH, { body, headers })
}

function signEvent(body: string, { secret = SECRET, at = world.server.clock.now() } = {}): string {
  return sign(secret, at, { direction: 'event', method: 'POST', path: EVENTS_PATH, body })
}

const send = (event: Settled) => post(bodyOf(event), signEvent(bodyOf(event)))

async function open(company: TestCompany, amount = '100'): Promise<Invoice> {
  const { status, body } = await world.server.post<Invoice>(INVOICES, company.key, { amount })
  expect(status).toBe(201)
  return body
}

function eventFor(company: TestCompany, invoice: Invoice, more: Partial<Settled> = {}): Settled {
  return {
    id: `evt ${invoice.id}`,
    companyId: company.wireId,
    token: findId('inv', invoice.id) ?? '',
    paymentId: `tx ${invoice.id}`,
    amount: invoice.payAmount ?? '',
    paidAt: world.server.clock.now().toISOString(),
    ...more,
  }
}

describe('one event', () => {
  let company: TestCompany
  let invoice: Invoice
  let event: Settled
  const status = async () => (await world.server.get<Invoice>(`${INVOICES}/${invoice.id}`, company.key)).body.status

  beforeEach(async () => {
    company = await world.createCompany()
    invoice = await open(company)
    event = eventFor(company, invoice)
  })

  test('completes the invoice, and the answer is signed for this request', async () => {
    const signature = signEvent(bodyOf(event))
    const answer = await post(bodyOf(event), signature)
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { received: true } })
    const answers = signature.slice(signature.indexOf('v1=') + 3)
    const signed = { direction: 'answer', status: 200, answers, body: answer.text } as const
    expect(answer.headers.get(SIGNATURE_HEADER)).toBe(sign(SECRET, world.server.clock.now(), signed))
    expect(await status()).toBe('completed')
    expect(await entriesOf(world.server, company.scope, invoice.id)).toHaveLength(2)
  })

  test.each<[string, () => string | undefined]>([
    ['no signature', () => undefined],
    ['a malformed one', () => 't=1,v1=abc'],
    ['another secret', () => signEvent(bodyOf(event), { secret: 'x'.repeat(40) })],
    ['another body', () => signEvent(`${bodyOf(event)} `)],
    ['an old one', () => signEvent(bodyOf(event), { at: new Date(world.server.clock.now().getTime() - 301_000) })],
    [
      'one of the future',
      () => signEvent(bodyOf(event), { at: new Date(world.server.clock.now().getTime() + 302_000) }),
    ],
    [
      'one of our own requests',
      () =>
        sign(SECRET, world.server.clock.now(), {
          direction: 'request',
          method: 'POST',
          path: EVENTS_PATH,
          body: bodyOf(event),
        }),
    ],
  ])('with %s is refused and changes nothing', async (_name, signature) => {
    const answer = await post(bodyOf(event), signature())
    expectError(answer, 'invalid_issuer_signature')
    expect(answer.headers.get(SIGNATURE_HEADER)).toBeNull()
    expect(await status()).toBe('pending')
  })

  test.each<[string, ErrorCode, (text: string) => string]>([
    ['that is not JSON', 'validation_failed', (text) => text.slice(1)],
    ['with an amount that is none', 'validation_failed', (text) => text.replace(event.amount, 'much')],
    ['of another company', 'not_found', (text) => text.replace(company.wireId, `co_${'0'.repeat(32)}`)],
    ['that contradicts another', 'event_conflict', (text) => text.replace(event.amount, '1')],
  ])('%s is refused with a signature for this request', async (_name, code, change) => {
    if (code === 'event_conflict') await send(event)
    const body = change(bodyOf(event))
    const signature = signEvent(body)
    const answer = await post(body, signature)
    expectError(answer, code)
    const answers = signature.slice(signature.indexOf('v1=') + 3)
    const signed = { direction: 'answer', status: answer.status, answers, body: answer.text } as const
    expect(answer.headers.get(SIGNATURE_HEADER)).toBe(sign(SECRET, world.server.clock.now(), signed))
  })

  test('that is repeated is accepted and credits nothing, and its id with another body is a conflict', async () => {
    expect((await send(event)).status).toBe(200)
    expect((await send(event)).status).toBe(200)
    expectError(await send({ ...event, amount: '1' }), 'event_conflict')
    expect((await send({ ...event, id: 'another event' })).status).toBe(200)
    expectError(await send({ ...event, id: 'a third event', amount: '1' }), 'event_conflict')
    expect(await entriesOf(world.server, company.scope, invoice.id)).toHaveLength(2)
  })

  test('about a missing invoice or another company’s invoice is not found', async () => {
    const stranger = await world.createCompany()
    expectError(await send({ ...event, companyId: stranger.wireId }), 'not_found')
    expectError(await send({ ...event, companyId: 'co_x' }), 'not_found')
    expectError(await send({ ...event, token: '00000000-0000-7000-8000-000000000000' }), 'not_found')
    expect(await status()).toBe('pending')
  })

  test.each([{ amount: '0' }, { amount: '1.0000001' }, { paidAt: 'yesterday' }, { token: 'x' }, { paymentId: '' }])(
    'with nonsense is refused: %j',
    async (nonsense) => {
      const answer = await send({ ...event, ...nonsense })
      expect([400, 409]).toContain(answer.status)
      expect(await status()).toBe('pending')
    },
  )

  test('does not affect the sandbox: the same token is not found there', async () => {
    const sandboxKey = await world.server.createKey(company.id)
    const { body } = await world.server.post<Invoice>(INVOICES, sandboxKey, { amount: '100' })
    expectError(await send(eventFor(company, body)), 'not_found')
  })
})

// Each invoice gets a random sequence of events. Whatever their order, repetitions and forgeries, the deposit is credited
// once, or the invoice waits with nothing credited.
test(
  '1,500 random settlement events credit each invoice exactly once or leave it in review',
  { timeout: 300_000 },
  async () => {
    const COMPANIES = 50
    const EVENTS = 1_500
    const companies: TestCompany[] = []
    for (let made = 0; made < COMPANIES; made += 10) {
      companies.push(...(await Promise.all(Array.from({ length: 10 }, () => world.createCompany()))))
    }
    const invoices: Invoice[] = []
    for (const company of companies) {
      // An answer that came too late on a busy machine is found by look-up.
      const { id } = await open(company, '100')
      invoices.push(await world.waitForInvoice(company, id, 'pending'))
    }
    const late = new Date(world.server.clock.now().getTime() + 3_600_000).toISOString()

    type Kind = 'exact' | 'exact again' | 'short' | 'excess' | 'late' | 'forged' | 'lied'
    const plan = fc.array(
      fc.record({
        index: fc.nat(COMPANIES - 1),
        kind: fc.constantFrom<Kind>(
          'exact',
          'exact',
          'exact',
          'exact again',
          'short',
          'excess',
          'late',
          'forged',
          'lied',
        ),
        version: fc.nat(2),
      }),
      { minLength: EVENTS, maxLength: EVENTS },
    )
    const [story = []] = fc.sample(plan, { numRuns: 1, seed: 20_260_310 })

    // The first half of the companies get only exact payments, and events that must be refused.
    const isHonest = (index: number) => index < COMPANIES / 2
    const toEvent = ({ index, kind, version }: (typeof story)[number]): { event: Settled; forged: boolean } => {
      const company = companies[index] as TestCompany
      const invoice = invoices[index] as Invoice
      const base = eventFor(company, invoice)
      const exact = parseMicros(base.amount)
      const odd = isHonest(index) && ['short', 'excess', 'late', 'exact again'].includes(kind) ? 'exact' : kind
      const name = `${odd} ${version}`
      const own = { id: `${base.id} ${name}`, paymentId: `${base.paymentId} ${name}` }
      switch (odd) {
        case 'exact':
          // One transfer, reported by up to three events.
          return { event: { ...base, id: `${base.id} ${name}` }, forged: false }
        case 'exact again':
          return { event: { ...base, ...own }, forged: false }
        case 'short':
          return { event: { ...base, ...own, amount: formatMicros(exact - 1n) }, forged: false }
        case 'excess':
          return { event: { ...base, ...own, amount: formatMicros(exact + 1n) }, forged: false }
        case 'late':
          return { event: { ...base, ...own, paidAt: late }, forged: false }
        case 'forged':
          return { event: { ...base, ...own }, forged: true }
        case 'lied':
          // The signature is right, but no invoice has this token.
          return { event: { ...base, ...own, token: '00000000-0000-7000-8000-000000000000' }, forged: false }
      }
    }
    const statuses = new Map<number, number>()
    for (let start = 0; start < story.length; start += 50) {
      const answers = await Promise.all(
        story.slice(start, start + 50).map((item) => {
          const { event, forged } = toEvent(item)
          const body = bodyOf(event)
          return post(body, signEvent(body, forged ? { secret: createHash('sha256').digest('hex') } : {}))
        }),
      )
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(new Set(statuses.keys())).toEqual(new Set([200, 401, 404]))

    const counts = { completed: 0, parked: 0, untouched: 0 }
    for (const [index, company] of companies.entries()) {
      const { id } = invoices[index] as Invoice
      const { body } = await world.server.get<Invoice>(`${INVOICES}/${id}`, company.key)
      const entries = await entriesOf(world.server, company.scope, id)
      const told = story.filter((item) => item.index === index).map(toEvent)
      if (body.status === 'completed') {
        counts.completed += 1
        expect(entries).toEqual([
          { kind: 'deposit', available_delta: 10_000n },
          { kind: 'fee', available_delta: -150n },
        ])
        expect(body.receivedAmount).toBe(body.payAmount)
      } else {
        expect(entries).toEqual([])
        expect(isHonest(index) && told.some(({ event, forged }) => !forged && event.paymentId === `tx ${id}`)).toBe(
          false,
        )
        if (body.status === 'manual_review') counts.parked += 1
        else counts.untouched += 1
      }
      const balance = await world.server.get<{ available: string }>('/api/v1/balance', company.key)
      expect(balance.body.available).toBe(body.status === 'completed' ? '98.50' : '0.00')
    }
    expect(counts.completed).toBeGreaterThan(COMPANIES / 2 - 10)
    expect(counts.parked).toBeGreaterThan(10)
  },
)
