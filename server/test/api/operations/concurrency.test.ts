// Concurrent requests over HTTP: the account is never overdrawn, and a key never creates two operations, on one node and on
// two.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../support/harness.ts'
import {
  balanceOf,
  createCard,
  createCustomer,
  type Customer,
  fund,
  issueBody,
  type OperationBody,
  send,
  serviceBody,
  startSecond,
  topupBody,
  until,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let second: Awaited<ReturnType<typeof startSecond>>

beforeAll(async () => {
  second = await startSecond(server)
})
afterAll(() => second.stop())

const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

async function countOperations(customer: Customer): Promise<Map<string, number>> {
  const rows = await server.db.many<{ status: string; count: bigint }>({
    name: undefined,
    text: 'select status, count(*) from operation where company_id = $1 group by status',
    values: [customer.id],
  })
  return new Map(rows.map(({ status, count }) => [status, Number(count)]))
}

async function untilDone(customer: Customer): Promise<Map<string, number>> {
  return until('all is done', async () => {
    const counts = await countOperations(customer)
    return counts.has('queued') || counts.has('processing') ? undefined : counts
  })
}

type Node = Pick<TestServer, 'request'>
const clusters: [string, () => [Node, Node]][] = [
  ['one node', () => [server, server]],
  ['two nodes', () => [server, second]],
]

describe.each(clusters)('on %s', (_name, nodes) => {
  it('200 operations against funds for 120 accept exactly 120', async () => {
    const customer = await createCustomer(server, { funds: '1280.00' })
    const [a, b] = nodes()
    const answers = await Promise.all(
      times(200, (index) => send(index % 2 === 0 ? a : b, customer, serviceBody({ amount: '10.06' }))),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(120)
    expect(statuses.filter((status) => status === 400)).toHaveLength(80)
    for (const { status, body } of answers) {
      if (status === 400) expect(body).toMatchObject({ code: 'insufficient_funds', details: { required: '10.66' } })
    }
    expect(await untilDone(customer)).toEqual(new Map([['completed', 120]]))
    expect(await balanceOf(server, customer)).toMatchObject({ available: '0.80', held: '0.00' })
  })

  it('50 identical requests create one operation, and all get the same answer', async () => {
    const customer = await createCustomer(server)
    const [a, b] = nodes()
    const answers = await Promise.all(
      times(50, (index) => send(index % 2 === 0 ? a : b, customer, issueBody(customer), 'same')),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect(await untilDone(customer)).toEqual(new Map([['completed', 1]]))
  })

  it('50 identical requests without funds are all refused, and the key can be used afterwards', async () => {
    const customer = await createCustomer(server, { funds: '13.01' })
    const [a, b] = nodes()
    const answers = await Promise.all(
      times(50, (index) => send(index % 2 === 0 ? a : b, customer, issueBody(customer), 'same')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
    await fund(server, customer, '0.01')
    expect((await send(a, customer, issueBody(customer), 'same')).status).toBe(201)
  })

  it('50 payloads with one key create one operation and 49 conflicts with its id', async () => {
    const customer = await createCustomer(server)
    const [a, b] = nodes()
    const answers = await Promise.all(
      times(50, (index) => send(index % 2 === 0 ? a : b, customer, issueBody(customer, { name: `n${index}` }), 'one')),
    )
    const won = answers.filter(({ status }) => status === 201)
    expect(won).toHaveLength(1)
    for (const { status, body } of answers) {
      if (status === 201) continue
      expect(status).toBe(409)
      expect((body as unknown as { details: unknown }).details).toEqual({ originalId: won[0]?.body.id })
    }
  })

  it('the same 100 keys sent twice create 100 operations', async () => {
    const customer = await createCustomer(server, { funds: '10000.00' })
    const [a, b] = nodes()
    const answers = await Promise.all(
      times(200, (index) => send(index % 2 === 0 ? a : b, customer, issueBody(customer), `key-${index >> 1}`)),
    )
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    for (let index = 0; index < 200; index += 2) expect(answers[index]?.text).toBe(answers[index + 1]?.text)
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(100)
    expect(await untilDone(customer)).toEqual(new Map([['completed', 100]]))
    const cards = await server.get<{ data: unknown[] }>('/api/v1/cards', customer.key)
    expect(cards.body.data).toHaveLength(100)
  })
})

it('concurrent top-ups, issues, services and deposits of several companies add up', async () => {
  const customers = await Promise.all(times(3, () => createCustomer(server, { funds: '500.00' })))
  const cards = await Promise.all(customers.map((customer) => createCard(server, customer)))
  await Promise.all(
    times(90, async (index) => {
      const customer = customers[index % 3] as Customer
      const node = index % 2 === 0 ? server : second
      const kind = index % 5
      if (kind === 0) return fund(server, customer, '7.77')
      if (kind === 1) return send(node, customer, issueBody(customer))
      if (kind === 2) return send(node, customer, serviceBody({ recipient: index % 2 === 0 ? 'fail' : 'ok' }))
      return send(node, customer, topupBody(cards[index % 3] ?? '', { amount: kind === 3 ? '10.77' : '11.00' }))
    }),
  )
  for (const [index, customer] of customers.entries()) {
    await untilDone(customer)
    const loads = await server.get<{ data: OperationBody[] }>(
      `/api/v1/operations?cardId=${cards[index]}&status=completed&limit=100`,
      customer.key,
    )
    const loaded = loads.body.data.reduce((sum, { amount }) => sum + Number(amount), 0)
    const card = await server.get<{ balance: string }>(`/api/v1/cards/${cards[index]}`, customer.key)
    expect(Number(card.body.balance)).toBeCloseTo(loaded)
  }
})
