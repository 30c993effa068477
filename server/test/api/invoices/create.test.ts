// POST /card-account/invoices: amounts, the fee, the exact amount to pay, one unresolved invoice at a time, idempotency.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Invoice } from '../../../src/funding/schema.ts'
import { isTronAddress } from '../../../src/tron/address.ts'
import { complete, INVOICES, openInvoice, readInvoice } from '../../support/invoices.ts'
import type { TestCompany } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { startServer } from './server.ts'

const HOUR_MS = 3_600_000
const server = await startServer()

let company: TestCompany
beforeEach(async () => {
  company = await server.createCompany()
})

test('a new invoice is pending, with an address, an exact amount and an hour to pay it', async () => {
  const answer = await server.post<Invoice>(INVOICES, company.key, { amount: '100' })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('location')).toBe(`${INVOICES}/${answer.body.id}`)
  const { address, payAmount, payUrl, ...rest } = answer.body
  expect(rest).toEqual({
    id: expect.stringMatching(/^inv_[0-9a-f]{32}$/),
    environment: 'sandbox',
    status: 'pending',
    depositAmount: '100.00',
    fee: '1.50',
    creditAmount: '98.50',
    asset: 'USDT',
    network: 'TRON',
    expiresAt: new Date(server.clock.now().getTime() + HOUR_MS).toISOString(),
    createdAt: server.clock.now().toISOString(),
    reasons: [],
    receivedAmount: null,
    createdBy: { kind: 'key', id: expect.stringMatching(/^key_[0-9a-f]{32}$/), name: 'test' },
  })
  expect(isTronAddress(address ?? '')).toBe(true)
  expect(payAmount).toMatch(/^100\.00\d{4}$/)
  expect(payAmount).not.toBe('100.000000')
  expect(payUrl).toMatch(new RegExp(`^${server.baseUrl}/pay/[\\w-]{43}$`))
  expect((await readInvoice(server, company, rest.id)).body).toEqual(answer.body)
})

describe('amounts', () => {
  test.each([
    ['10', '0.15'],
    ['10.00', '0.15'],
    ['11', '0.17'],
    ['33', '0.50'],
    ['10000000', '150000.00'],
  ])('%s costs %s, rounded half-up', async (amount, fee) => {
    const invoice = await openInvoice(server, company, amount)
    expect(invoice.fee).toBe(fee)
    const exact = Number(invoice.depositAmount) - Number(fee)
    expect(Number(invoice.creditAmount)).toBeCloseTo(exact, 2)
  })

  test.each([
    ['100.50', 'amount_not_whole'],
    ['9', 'amount_below_minimum'],
    ['0', 'amount_below_minimum'],
    ['10000001', 'amount_above_maximum'],
    ['-10', 'validation_failed'],
    ['10.000', 'validation_failed'],
    ['1e2', 'validation_failed'],
    [100, 'validation_failed'],
    ['99999999999999', 'validation_failed'],
  ] as const)('%s is refused with %s and writes nothing', async (amount, code) => {
    const key = randomUUID()
    expectError(await server.post(INVOICES, company.key, { amount }, key), code)
    expect((await server.get(INVOICES, company.key)).body).toEqual({ data: [], nextCursor: null })
    // A refused request consumes no key.
    expect((await server.post(INVOICES, company.key, { amount: '10' }, key)).status).toBe(201)
  })

  test('an unknown field is refused, so no client can name a transaction', async () => {
    expectError(await server.post(INVOICES, company.key, { amount: '10', txid: 'abc' }), 'validation_failed')
  })
})

describe('one unresolved invoice', () => {
  test('a second invoice is refused with the id of the first until the first is completed', async () => {
    const first = await openInvoice(server, company)
    const error = expectError(await server.post(INVOICES, company.key, { amount: '10' }), 'invoice_unresolved')
    expect(error.details).toMatchObject({ invoiceId: first.id })
    expect((await complete(server, company, first.id)).status).toBe(200)
    await openInvoice(server, company, '10')
  })

  test('of twenty concurrent requests exactly one creates an invoice', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.post(INVOICES, company.key, { amount: '10' })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectError(answer, 'invoice_unresolved')
  })

  test('the database itself refuses a second unresolved invoice', async () => {
    const { id } = await openInvoice(server, company)
    const copy = server.db.run({
      name: undefined,
      text: `insert into invoice (company_id, environment, id, requested, deposit, fee, idempotency_key, request_digest, created_at, status_at)
             select company_id, environment, gen_random_uuid(), requested, deposit, fee, 'other', request_digest, created_at, status_at
             from invoice where id = replace($1, 'inv_', '')::uuid`,
      values: [id],
    })
    await expect(copy).rejects.toThrow('invoice_unresolved')
  })

  test('an invoice whose time is over does not block a new one, even if nobody has read it', async () => {
    const first = await openInvoice(server, company)
    server.clock.advance(HOUR_MS)
    await openInvoice(server, company)
    expect((await readInvoice(server, company, first.id)).body.status).toBe('expired')
  })

  test('another company and the other environment are not affected', async () => {
    const mine = await openInvoice(server, company)
    const theirs = await openInvoice(server, await server.createCompany())
    expect(mine.id).not.toBe(theirs.id)
  })
})

describe('idempotency', () => {
  test('the same key gets the first answer byte for byte, even after the invoice was completed', async () => {
    const key = randomUUID()
    const first = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
    await complete(server, company, first.body.id)
    const again = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
    expect(again.status).toBe(201)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
  })

  test('the same key with another body is a conflict with the id of the original', async () => {
    const key = randomUUID()
    const first = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
    const error = expectError(
      await server.post(INVOICES, company.key, { amount: '100.00' }, key),
      'idempotency_conflict',
    )
    expect(error.details).toEqual({ originalId: first.body.id })
    expectError(await server.post(INVOICES, company.key, { amount: '1' }, key), 'idempotency_conflict')
  })

  test('twenty concurrent requests with one key get the same invoice and the same body', async () => {
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => server.post<Invoice>(INVOICES, company.key, { amount: '10' }, key)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  })

  test('no key is refused', async () => {
    expectError(
      await server.request('POST', INVOICES, { token: company.key, body: { amount: '10' } }),
      'idempotency_key_missing',
    )
  })
})

test('reading needs funding:write or balance:read, creating needs funding:write, and live needs an issuer', async () => {
  const { id } = await openInvoice(server, company)
  const reader = await server.createKey(company.id, { scopes: ['balance:read'] })
  expect((await server.get(`${INVOICES}/${id}`, reader)).status).toBe(200)
  expectError(await server.post(INVOICES, reader, { amount: '10' }), 'scope_missing')
  const live = await server.createKey(company.id, { environment: 'live' })
  expectError(await server.post(INVOICES, live, { amount: '10' }), 'capability_not_activated')
  expectError(await server.get(`${INVOICES}/${id}`, live), 'not_found')
  expect((await server.get(INVOICES, live)).body).toEqual({ data: [], nextCursor: null })
  const stranger = await server.createCompany()
  expectError(await server.get(`${INVOICES}/${id}`, stranger.key), 'not_found')
})

test('the list is newest first, in pages, and filtered by status', async () => {
  const ids: string[] = []
  for (let made = 0; made < 5; made += 1) {
    const { id } = await openInvoice(server, company)
    ids.unshift(id)
    if (made < 4) await complete(server, company, id)
    server.clock.advance(1000)
  }
  type List = { data: Invoice[]; nextCursor: string | null }
  const first = await server.get<List>(`${INVOICES}?limit=3`, company.key)
  const second = await server.get<List>(`${INVOICES}?limit=3&cursor=${first.body.nextCursor}`, company.key)
  expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids)
  expect(second.body.nextCursor).toBeNull()
  const pending = await server.get<List>(`${INVOICES}?status=pending`, company.key)
  expect(pending.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  server.clock.advance(HOUR_MS)
  const expired = await server.get<List>(`${INVOICES}?status=expired`, company.key)
  expect(expired.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  expectError(await server.get(`${INVOICES}?status=paid`, company.key), 'validation_failed')
})
