// Which fields each kind of operation accepts, and in which order a request is checked.
import { beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../../src/errors.ts'
import { formatId, newId } from '../../../src/lib/ids.ts'
import {
  accept,
  balanceOf,
  CARD,
  createCard,
  createCustomer,
  createHolder,
  type Customer,
  ESIM,
  expectRefused,
  issueBody,
  perform,
  send,
  serviceBody,
  topupBody,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let customer: Customer
let other: Customer
let cardId: string
let othersCard: string

beforeAll(async () => {
  customer = await createCustomer(server)
  other = await createCustomer(server)
  cardId = await createCard(server, customer)
  othersCard = await createCard(server, other)
})

type Field = readonly [string, unknown]
const without = (body: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

const bodies: Record<string, () => Record<string, unknown>> = {
  issue: () => issueBody(customer),
  topup: () => topupBody(cardId),
  service: () => serviceBody(),
}
const required: Record<string, readonly string[]> = {
  issue: ['type', 'amount', 'productId', 'holderId'],
  topup: ['type', 'amount', 'cardId'],
  service: ['type', 'amount', 'productId', 'recipient'],
}
const foreign: Record<string, readonly Field[]> = {
  issue: [
    ['cardId', 'card_00000000000000000000000000000000'],
    ['recipient', 'ada@example.com'],
  ],
  topup: [
    ['holderId', 'hld_00000000000000000000000000000000'],
    ['recipient', 'ada@example.com'],
    ['name', 'a label'],
  ],
  service: [
    ['holderId', 'hld_00000000000000000000000000000000'],
    ['cardId', 'card_00000000000000000000000000000000'],
    ['name', 'a label'],
  ],
}

describe.each(['issue', 'topup', 'service'])('%s', (type) => {
  const body = (more: Record<string, unknown> = {}) => ({ ...bodies[type]?.(), ...more })

  it('answers 201 with the queued operation and where to read it', async () => {
    const answer = await send(server, customer, body())
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/api/v1/operations/${answer.body.id}`)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^op_[0-9a-f]{32}$/),
      type,
      status: 'queued',
      amount: '10.00',
      fee: { issue: '3.02', topup: '0.02', service: '0.60' }[type],
      total: { issue: '13.02', topup: '10.02', service: '10.60' }[type],
      result: {},
      createdAt: server.clock.now().toISOString(),
    })
  })

  it.each(required[type] ?? [])('answers 400 without %s and names it', async (field) => {
    const { message } = expectRefused(await send(server, customer, without(body(), field)), 'validation_failed')
    expect(message).toContain(`body.${field}`)
  })

  it.each(foreign[type] ?? [])(
    'answers 400 to %s, which belongs to another kind, and names it',
    async (field, value) => {
      const { message } = expectRefused(await send(server, customer, body({ [field]: value })), 'validation_failed')
      expect(message).toContain(`body.${field} is not a known field here`)
    },
  )

  it.each<Field>([
    ['nothing', 1],
    ['status', 'completed'],
    ['fee', '0.00'],
    ['idempotencyKey', 'x'],
  ])('answers 400 to the unknown field %s', async (field, value) => {
    const { message } = expectRefused(await send(server, customer, body({ [field]: value })), 'validation_failed')
    expect(message).toContain(`body.${field}`)
  })

  it.each([10, null, true, '', '-10.00', '+10', '10.', '.5', '10.001', '1e3', ' 10', '10,00', '٣', '1'.repeat(14)])(
    'answers 400 to the amount %j',
    async (amount) => {
      expectRefused(await send(server, customer, body({ amount })), 'validation_failed')
      expectRefused(await send(server, customer, body({ expectedTotal: amount })), 'validation_failed')
    },
  )

  it.each([undefined, '', 'refund', 'Issue', null, 1, ['issue']])('answers 400 to the type %j', async (wrong) => {
    expectRefused(await send(server, customer, body({ type: wrong })), 'validation_failed')
  })

  it('answers 403 to a live key: this server has no live issuer', async () => {
    const live = await server.createKey(customer.id, { environment: 'live' })
    expectRefused(await send(server, { key: live }, body()), 'capability_not_activated')
  })

  it('needs its own scope, and the other scope is not enough', async () => {
    const cards = { key: await server.createKey(customer.id, { scopes: ['cards:write'] }) }
    const services = { key: await server.createKey(customer.id, { scopes: ['services:write'] }) }
    const [right, wrong] = type === 'service' ? [services, cards] : [cards, services]
    await accept(server, right, body())
    expectRefused(await send(server, wrong, body()), 'scope_missing')
    // The scope is checked before the syntax.
    expectRefused(await send(server, wrong, { type }), 'scope_missing')
  })
})

const missing = (prefix: 'hld' | 'card') => formatId(prefix, newId(server.clock.now()))
const RULE_BROKEN = { amount: '0.01', expectedTotal: '1.00' }

describe('a missing object answers 404, even if the request also breaks a rule', () => {
  const cases: [string, () => Record<string, unknown>][] = [
    ['a product that does not exist', () => issueBody(customer, { productId: 'prod_card_gold' })],
    ['a service product for an issue', () => issueBody(customer, { productId: ESIM })],
    ['a card product for a service', () => serviceBody({ productId: CARD })],
    ['a holder that does not exist', () => issueBody(customer, { holderId: missing('hld') })],
    ["another company's holder", () => issueBody(customer, { holderId: other.holderId })],
    ['a holder id of another form', () => issueBody(customer, { holderId: 'Ada' })],
    ["a card's id as the holder", () => issueBody(customer, { holderId: cardId })],
    ['a card that does not exist', () => topupBody(missing('card'))],
    ["another company's card", () => topupBody(othersCard)],
    ['a card id of another form', () => topupBody('1234')],
    ["a holder's id as the card", () => topupBody(customer.holderId)],
  ]
  it.each(cases)('%s', async (_name, body) => {
    const plain = await send(server, customer, body())
    const broken = await send(server, customer, { ...body(), ...RULE_BROKEN })
    expectRefused(plain, 'not_found')
    expectRefused(broken, 'not_found')
    const same = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
    expect(same(broken.text)).toBe(same(plain.text))
  })

  it("a sandbox key does not find a live holder, and another company's holder gets the same answer byte for byte", async () => {
    const answer = await server.request<{ id: string }>('POST', `/admin/v1/companies/${customer.wireId}/holders`, {
      token: server.operatorToken,
      body: { environment: 'live', name: 'Live', email: 'live@example.com', kind: 'individual' },
    })
    expectRefused(await send(server, customer, issueBody(customer, { holderId: answer.body.id })), 'not_found')
  })
})

describe('the product of a top-up', () => {
  it('may be given if it is the card’s product', async () => {
    expect((await send(server, customer, topupBody(cardId, { productId: CARD }))).status).toBe(201)
  })
  it.each(['prod_card_advertising', ESIM, 'prod_nothing'])('answers 400 if it is %s', async (productId) => {
    expectRefused(await send(server, customer, topupBody(cardId, { productId })), 'product_mismatch')
  })
})

describe('the label of a card', () => {
  const nameOf = async (id: string | undefined) =>
    (await server.get<{ name: string }>(`/api/v1/cards/${id}`, customer.key)).body.name
  const label = async (more: Record<string, unknown>) =>
    nameOf((await perform(server, customer, issueBody(customer, more))).result.cardId)

  it("is the given name, or the holder's name if none is given", async () => {
    expect(await label({})).toBe('Ada Lovelace')
    expect(await label({ name: 'Advertising' })).toBe('Advertising')
  })
  it('has up to 64 characters, whatever their alphabet', async () => {
    const long = 'ü'.repeat(60) + '💳'.repeat(4)
    expect(await label({ name: long })).toBe(long)
    expectRefused(await send(server, customer, issueBody(customer, { name: `${long}x` })), 'validation_failed')
  })
  it('is truncated from a longer name of the holder', async () => {
    const holderId = await createHolder(server, customer, 'n'.repeat(200))
    expect(await label({ holderId })).toBe('n'.repeat(64))
  })
  it.each(['', '   ', 7, null])('answers 400 to %j', async (name) => {
    expectRefused(await send(server, customer, issueBody(customer, { name })), 'validation_failed')
  })
})

describe('the recipient of a service', () => {
  it('has up to 255 characters', async () => {
    await accept(server, customer, serviceBody({ recipient: 'r'.repeat(255) }))
    expectRefused(await send(server, customer, serviceBody({ recipient: 'r'.repeat(256) })), 'validation_failed')
  })
  it.each(['', ' ', 7, null, 'a\u0000b'])('answers 400 to %j', async (recipient) => {
    expectRefused(await send(server, customer, serviceBody({ recipient })), 'validation_failed')
  })
})

describe('an inactive object', () => {
  it.each(['pending', 'blocked', 'inactive'])('a holder that is %s gets no card and no quote', async (status) => {
    const holderId = await createHolder(server, customer)
    await server.db.run({
      name: undefined,
      text: 'update holder set status = $1 where company_id = $2 and id = $3',
      values: [status, customer.id, uuidOf(holderId)],
    })
    expectRefused(await send(server, customer, issueBody(customer, { holderId })), 'holder_not_active')
    const quote = await server.post('/api/v1/quotes', customer.key, issueBody(customer, { holderId }))
    expectRefused(quote, 'holder_not_active')
  })
  it.each(['pending', 'frozen', 'blocked', 'expired', 'closed'])(
    'a card that is %s is not topped up, and there is no quote for it',
    async (status) => {
      const card = await createCard(server, customer)
      await server.db.run({
        name: undefined,
        text: 'update card set status = $1 where company_id = $2 and id = $3',
        values: [status, customer.id, uuidOf(card)],
      })
      expectRefused(await send(server, customer, topupBody(card)), 'card_not_active')
      expectRefused(await server.post('/api/v1/quotes', customer.key, topupBody(card)), 'card_not_active')
    },
  )
})

function uuidOf(wireId: string): string {
  return wireId.slice(wireId.indexOf('_') + 1)
}

it('no refused request moves money', async () => {
  const before = await balanceOf(server, other)
  const refused: [unknown, ErrorCode][] = [
    [issueBody(other, { amount: '9.99' }), 'amount_below_minimum'],
    [issueBody(other, { expectedTotal: '13.03' }), 'quote_changed'],
    [issueBody(other, { holderId: customer.holderId }), 'not_found'],
    [serviceBody({ unknown: 1 }), 'validation_failed'],
  ]
  for (const [body, code] of refused) expectRefused(await send(server, other, body), code)
  expect(await balanceOf(server, other)).toEqual(before)
})
