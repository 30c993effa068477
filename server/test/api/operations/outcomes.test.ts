// The outcomes of operations, their ledger entries, and the names and amounts that decide the sandbox's outcome.
import { beforeAll, describe, expect, it } from 'vitest'
import {
  accept,
  balanceOf,
  CARD,
  createCard,
  createCustomer,
  type Customer,
  issueBody,
  type OperationBody,
  perform,
  read,
  serviceBody,
  topupBody,
  until,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let customer: Customer
let cardId: string

beforeAll(async () => {
  customer = await createCustomer(server, { funds: '10000.00' })
  cardId = await createCard(server, customer)
})

interface CardBody {
  id: string
  name: string
  holderId: string
  last4: string
  status: string
  balance: string
  productId: string
  createdAt: string
}
const readCard = async (id: string | undefined) =>
  (await server.get<CardBody>(`/api/v1/cards/${id}`, customer.key)).body

/** The entries of an operation as `kind available held`, in order. */
async function entriesOf(operation: OperationBody): Promise<string[]> {
  const rows = await server.db.many<{ kind: string; available_delta: bigint; held_delta: bigint }>({
    name: undefined,
    text: 'select kind, available_delta, held_delta from entry where company_id = $1 and reference = $2 order by number',
    values: [customer.id, operation.id.slice(3)],
  })
  return rows.map((row) => `${row.kind} ${row.available_delta} ${row.held_delta}`)
}

describe('a completed operation', () => {
  it('of kind issue creates an active card with the amount on it, and returns {cardId, receipt}', async () => {
    const done = await perform(server, customer, issueBody(customer, { amount: '25.00', name: 'Travel' }))
    expect(done).toEqual({
      id: done.id,
      type: 'issue',
      status: 'completed',
      amount: '25.00',
      fee: '3.05',
      total: '28.05',
      result: { cardId: expect.stringMatching(/^card_[0-9a-f]{32}$/), receipt: expect.stringMatching(/^rcpt_/) },
      createdAt: server.clock.now().toISOString(),
      holder: { id: customer.holderId, name: 'Ada Lovelace' },
      card: { id: done.result.cardId, name: 'Travel', last4: expect.stringMatching(/^\d{4}$/) },
      product: { id: CARD, name: 'Virtual card' },
      title: expect.stringMatching(/^Virtual card for Ada Lovelace ·· \d{4}$/),
      createdBy: { kind: 'key', id: expect.stringMatching(/^key_[0-9a-f]{32}$/), name: 'test' },
    })
    expect(await readCard(done.result.cardId)).toEqual({
      id: done.result.cardId,
      name: 'Travel',
      holderId: customer.holderId,
      holder: { id: customer.holderId, name: 'Ada Lovelace' },
      last4: expect.stringMatching(/^\d{4}$/),
      status: 'active',
      balance: '25.00',
      productId: CARD,
      createdAt: server.clock.now().toISOString(),
    })
    expect(await entriesOf(done)).toEqual(['reservation -2805 2805', 'capture 0 -2500', 'fee 0 -305'])
  })
  it('of kind topup adds the amount without the fee to the card, and returns {cardId, receipt}', async () => {
    const before = await readCard(cardId)
    const done = await perform(server, customer, topupBody(cardId, { amount: '12.50' }))
    expect(done.result).toEqual({ cardId, receipt: expect.stringMatching(/^rcpt_/) })
    expect(Number((await readCard(cardId)).balance)).toBe(Number(before.balance) + 12.5)
    expect(await entriesOf(done)).toEqual(['reservation -1253 1253', 'capture 0 -1250', 'fee 0 -3'])
  })
  it('of kind service returns {receipt}', async () => {
    const done = await perform(server, customer, serviceBody())
    expect(done.result).toEqual({ receipt: expect.stringMatching(/^rcpt_/) })
    expect(await entriesOf(done)).toEqual(['reservation -1060 1060', 'capture 0 -1000', 'fee 0 -60'])
  })
  it('without a fee writes no fee entry', async () => {
    const done = await perform(server, customer, serviceBody({ productId: 'prod_service_vpn', amount: '49.00' }))
    expect(await entriesOf(done)).toEqual(['reservation -4900 4900', 'capture 0 -4900'])
  })
})

const bodies: Record<string, (more: Record<string, unknown>) => Record<string, unknown>> = {
  issue: (more) => issueBody(customer, more),
  topup: (more) => topupBody(cardId, more),
  service: (more) => serviceBody(more),
}
const sentinels: [type: string, behaviour: string, more: Record<string, unknown>][] = [
  ['issue', 'fail', { name: 'fail' }],
  ['issue', 'fail', { amount: '10.66' }],
  ['topup', 'fail', { amount: '10.66' }],
  ['service', 'fail', { recipient: 'fail' }],
  ['service', 'fail', { amount: '10.66' }],
  ['issue', 'unknown', { name: 'unknown' }],
  ['issue', 'unknown', { amount: '10.77' }],
  ['topup', 'unknown', { amount: '10.77' }],
  ['service', 'unknown', { recipient: 'unknown' }],
  ['service', 'unknown', { amount: '10.77' }],
  ['issue', 'slow', { name: 'slow' }],
  ['topup', 'slow', { amount: '10.88' }],
  ['service', 'slow', { recipient: 'slow' }],
]

describe.each(sentinels)('an operation of kind %s with the sentinel %s in %j', (type, behaviour, more) => {
  const body = () => bodies[type]?.(more) ?? {}

  if (behaviour === 'fail')
    it('fails with a reason, releases the money and changes no card', async () => {
      const [balance, card] = [await balanceOf(server, customer), await readCard(cardId)]
      const done = await perform(server, customer, body())
      expect(done).toMatchObject({ status: 'failed', result: {} })
      expect(done.failure).toEqual({ code: 'declined', message: expect.stringMatching(/declined/) })
      expect(await balanceOf(server, customer)).toEqual(balance)
      expect(await readCard(cardId)).toEqual(card)
      const total = done.total.replace('.', '')
      expect(await entriesOf(done)).toEqual([`reservation -${total} ${total}`, `release ${total} -${total}`])
    })
  if (behaviour === 'unknown')
    it('goes into review with its funds held', async () => {
      const before = await balanceOf(server, customer)
      const done = await perform(server, customer, body())
      expect(done).toMatchObject({ status: 'manual_review', result: {} })
      expect(done).not.toHaveProperty('failure')
      const after = await balanceOf(server, customer)
      expect(after.total).toBe(before.total)
      expect(Number(after.held) * 100 - Number(before.held) * 100).toBeCloseTo(Number(done.total) * 100)
      expect(await entriesOf(done)).toHaveLength(1)
    })
  if (behaviour === 'slow')
    it('is shown as processing and then completes', async () => {
      const id = await accept(server, customer, body())
      const statuses = new Set<string>()
      const done = await until('it completed', async () => {
        const operation = await read(server, customer, id)
        statuses.add(operation.status)
        return operation.status === 'completed' ? operation : undefined
      })
      expect(done.result.receipt).toMatch(/^rcpt_/)
      for (const status of statuses) expect(['queued', 'processing', 'completed']).toContain(status)
    })
})

it.each([{ name: 'Fail' }, { name: ' fail' }, { name: 'unknown card' }, { amount: '10.67' }, { amount: '1066' }])(
  'only the exact text or amount is a sentinel: %j completes',
  async (more) => {
    expect((await perform(server, customer, issueBody(customer, more))).status).toBe('completed')
  },
)

it('in the end, only the totals of unfinished operations are held', async () => {
  const { held } = await balanceOf(server, customer)
  const list = await server.get<{ data: OperationBody[] }>('/api/v1/operations?status=manual_review', customer.key)
  const cents = list.body.data.reduce((sum, { total }) => sum + BigInt(total.replace('.', '')), 0n)
  expect(held.replace('.', '')).toBe(cents.toString())
})
