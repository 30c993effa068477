// Card payments: made in the sandbox, reported by an issuer in any order, and listed by the time they occurred.
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findCard } from '../../../src/cards/queries.ts'
import { toCard } from '../../../src/cards/schema.ts'
import { sql } from '../../../src/db/sql.ts'
import { findId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { ingestTransaction, type ReportedTransaction } from '../../../src/transactions/ingest.ts'
import { findTransaction } from '../../../src/transactions/queries.ts'
import { toTransaction, toTransactionData } from '../../../src/transactions/schema.ts'
import {
  isCredit,
  TRANSACTION_STATUSES,
  TRANSACTION_TRANSITIONS,
  TRANSACTION_TYPES,
  type TransactionStatus,
} from '../../../src/transactions/states.ts'
import { expectBooksRight, fund, issueCard, readBalance, readCard, type WireCard } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

interface Wire {
  id: string
  cardId: string
  type: string
  status: string
  amount: string
  occurredAt: string
}

let server: TestServer
let company: TestCompany
let card: WireCard

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  await fund(server, company, '100000')
  card = await issueCard(server, company, { amount: '1000.00' })
})
afterEach(() => expectBooksRight(server))
afterAll(() => server.stop())

const pay = (body: object, key = company.key) =>
  server.post<Wire>('/api/v1/sandbox/transactions', key, { cardId: card.id, ...body })
const balance = async () => Number((await readCard(server, company, card.id)).balance)
const list = (query = '') =>
  server.get<{ data: Wire[]; nextCursor: string | null }>(`/api/v1/transactions${query}`, company.key)
const deps = () => ({ db: server.db, clock: server.clock })
let reported = 0
const report = (changes: Partial<ReportedTransaction>): ReportedTransaction => ({
  issuerId: `net-${(reported += 1)}`,
  cardId: findId('card', card.id) ?? '',
  type: 'purchase',
  status: 'pending',
  amount: -1000n,
  currency: 'USD',
  occurredAt: server.clock.now(),
  ...changes,
})

describe('POST /sandbox/transactions', () => {
  test('answers 201 with Location and the payment, and changes the card’s balance but not the card account', async () => {
    const [account, before] = [await readBalance(server, company), await balance()]
    const body = { type: 'purchase', amount: '12.5', merchant: 'Corner shop', country: 'DE', description: 'Lunch' }
    const answer = await pay(body)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/api/v1/transactions/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^txn_[0-9a-f]{32}$/),
      cardId: card.id,
      reference: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/),
      type: 'purchase',
      status: 'settled',
      amount: '-12.50',
      currency: 'USD',
      merchant: 'Corner shop',
      country: 'DE',
      merchantCategory: '5999',
      category: { id: 'shopping', name: 'Shopping' },
      description: 'Lunch',
      occurredAt: server.clock.now().toISOString(),
      card: { id: card.id, name: expect.any(String), last4: expect.stringMatching(/^\d{4}$/) },
      holder: { id: expect.stringMatching(/^hld_/), name: expect.any(String) },
    })
    expect((await server.get(`/api/v1/transactions/${answer.body.id}`, company.key)).body).toEqual(answer.body)
    expect(await balance()).toBe(before - 12.5)
    expect(await readBalance(server, company)).toBe(account)
  })

  test.each([
    [{ type: 'purchase', amount: '0.01' }, 'Green Grocer', 'Groceries'],
    [{ type: 'purchase', amount: '0.01', merchantCategory: '7011' }, 'Green Grocer', 'Travel'],
    [{ type: 'withdrawal', amount: '0.01' }, 'Cash machine', 'Cash'],
    [{ type: 'fee', amount: '0.01' }, '', 'Unknown'],
  ])('a merchant and its category are invented for %j', async (body, merchant, name) => {
    expect((await pay(body)).body).toMatchObject({ merchant, category: { name } })
  })

  test.each(TRANSACTION_TYPES.flatMap((type) => TRANSACTION_STATUSES.map((status) => ({ type, status }))))(
    '$type $status moves the card as it should',
    async ({ type, status }) => {
      const before = await balance()
      const { body } = await pay({ type, status, amount: '3.00' })
      expect(body).toMatchObject({ type, status, amount: isCredit(type) ? '3.00' : '-3.00' })
      const counts = status === 'settled' || (status === 'pending' && !isCredit(type))
      expect((await balance()) - before).toBe(counts ? Number(body.amount) : 0)
    },
  )

  test('a debit above the balance is declined with its reason and moves nothing', async () => {
    const before = await balance()
    expect((await pay({ type: 'withdrawal', amount: (before + 0.01).toFixed(2) })).body).toMatchObject({
      status: 'declined',
      description: 'Insufficient balance',
    })
    expect(await balance()).toBe(before)
    expect((await pay({ type: 'withdrawal', amount: before.toFixed(2), status: 'pending' })).body.status).toBe(
      'pending',
    )
    expect(await balance()).toBe(0)
    await pay({ type: 'refund', amount: '500' })
  })

  test('of ten concurrent debits with funds for four, exactly four are paid', async () => {
    const before = await balance()
    const each = (before / 4).toFixed(2)
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay({ type: 'purchase', amount: each })))
    expect(answers.filter(({ body }) => body.status === 'settled')).toHaveLength(4)
    await pay({ type: 'refund', amount: '500' })
  })

  test('a pending payment can be settled, reversed or expired, and a final payment does not change', async () => {
    const change = (id: string, status: string, key = company.key) =>
      server.post<Wire>(`/api/v1/sandbox/transactions/${id}/status`, key, { status })
    const pending = async () => (await pay({ type: 'purchase', amount: '2.00', status: 'pending' })).body.id
    const before = await balance()
    for (const status of ['settled', 'reversed', 'expired']) {
      const id = await pending()
      const answer = await change(id, status)
      expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id, status, amount: '-2.00' })])
      expect((await change(id, status)).body).toEqual(answer.body)
      const { body } = await server.get<{ data: { data: Wire }[] }>(
        '/api/v1/events?type=transaction.updated&limit=100',
        company.key,
      )
      expect(body.data.filter(({ data }) => data.id === id).map(({ data }) => data.status)).toEqual([status])
    }
    expect(await balance()).toBe(before - 2)
    const settled = await pay({ type: 'purchase', amount: '2.00' })
    const refusal = await change(settled.body.id, 'reversed')
    expect(expectError(refusal, 'transaction_status_not_allowed')).toMatchObject({
      param: 'status',
      details: { status: 'settled' },
    })
    expectError(await change(settled.body.id, 'pending'), 'validation_failed')
    expectError(await change(settled.body.id, 'settled', (await server.createCompany()).key), 'not_found')
    const reader = await server.createKey(company.id, { scopes: ['cards:read', 'operations:read'] })
    expectError(await change(settled.body.id, 'settled', reader), 'scope_missing')
    const live = await server.createKey(company.id, { environment: 'live' })
    expectError(await change(settled.body.id, 'settled', live), 'sandbox_only')
    expect(await balance()).toBe(before - 4)
  })

  test.each(['USD', 'EUR', 'JPY', 'KWD', 'XOF'])('a payment in %s is made', async (currency) => {
    expect(await pay({ type: 'purchase', amount: '1', currency })).toMatchObject({ status: 201, body: { currency } })
  })

  test('an invalid request is refused and writes nothing', async () => {
    const count = async () => (await server.db.many(sql`select 1 from transaction`)).length
    const before = await count()
    expectError(await pay({ type: 'purchase', amount: '0' }), 'amount_below_minimum')
    expectError(await pay({ type: 'theft', amount: '1' }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '-1' }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '1', country: 'Germany' }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '1', merchantCategory: '581' }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '1', currency: 'usd' }), 'validation_failed')
    // Made up, of tests, of gold, and of no country any more.
    for (const currency of ['QQQ', 'XTS', 'XAU', 'DEM']) {
      const refused = expectError(await pay({ type: 'purchase', amount: '1', currency }), 'validation_failed')
      expect(refused).toMatchObject({ param: 'currency', message: expect.stringContaining('ISO 4217') })
    }
    expectError(await pay({ type: 'purchase', amount: '1', status: 'lost' }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '1', extra: 1 }), 'validation_failed')
    expectError(await pay({ type: 'purchase', amount: '1', cardId: 'card_x' }), 'not_found')
    expectError(await pay({ type: 'purchase', amount: '1' }, (await server.createCompany()).key), 'not_found')
    const reader = await server.createKey(company.id, { scopes: ['cards:read', 'operations:read'] })
    expectError(await pay({ type: 'purchase', amount: '1' }, reader), 'scope_missing')
    const live = await server.createKey(company.id, { environment: 'live' })
    expectError(await pay({ type: 'purchase', amount: '1' }, live), 'sandbox_only')
    expect(await count()).toBe(before)
    expect((await pay({ type: 'verification', amount: '0' })).body).toMatchObject({ status: 'settled', amount: '0.00' })
  })
})

describe('what an issuer reports', () => {
  test.each(TRANSACTION_STATUSES.flatMap((from) => TRANSACTION_STATUSES.map((to) => ({ from, to }))))(
    '$to after $from moves only along the table',
    async ({ from, to }) => {
      const before = await balance()
      const first = report({ status: from })
      expect(await ingestTransaction(deps(), company.scope, first)).toMatchObject({ kind: 'created' })
      const second = await ingestTransaction(deps(), company.scope, { ...first, status: to })
      const moves = TRANSACTION_TRANSITIONS[from].includes(to)
      const status = moves ? to : from
      expect(second).toMatchObject({ kind: moves ? 'updated' : 'unchanged', transaction: { status } })
      expect((await balance()) - before).toBe(status === 'pending' || status === 'settled' ? -10 : 0)
    },
  )

  test('the settled amount may differ from the authorised one, and the card’s balance follows', async () => {
    const before = await balance()
    const first = report({ amount: -5000n })
    await ingestTransaction(deps(), company.scope, first)
    expect(await balance()).toBe(before - 50)
    await ingestTransaction(deps(), company.scope, { ...first, status: 'settled', amount: -5825n })
    expect((await balance()).toFixed(2)).toBe((before - 58.25).toFixed(2))
    await pay({ type: 'refund', amount: '58.25' })
  })

  test('a payment above the balance empties the card, and its reversal returns only what it took', async () => {
    const all = await balance()
    const pending = report({ amount: -BigInt(Math.round(all * 100)) - 777n })
    await ingestTransaction(deps(), company.scope, pending)
    expect(await balance()).toBe(0)
    await ingestTransaction(deps(), company.scope, { ...pending, status: 'reversed' })
    expect(await balance()).toBe(all)
  })

  test('in another currency the card’s balance changes by the amount in its own currency', async () => {
    const before = await balance()
    const { transaction } = (await ingestTransaction(deps(), company.scope, {
      ...report({ amount: -100_000n, currency: 'JPY', status: 'settled' }),
      cardAmount: -640n as never,
    })) as { transaction: Parameters<typeof toTransaction>[0] }
    expect(toTransaction(transaction)).toMatchObject({ amount: '-1000.00', currency: 'JPY' })
    expect((await balance()).toFixed(2)).toBe((before - 6.4).toFixed(2))
  })

  test('a report for an unknown card, or with an id of another card, changes nothing', async () => {
    const known = report({ status: 'settled' })
    await ingestTransaction(deps(), company.scope, known)
    const other = await issueCard(server, company)
    const otherId = findId('card', other.id) ?? ''
    expect(await ingestTransaction(deps(), company.scope, { ...known, cardId: otherId })).toEqual({ kind: 'no_card' })
    const stranger = { ...report({}), cardId: crypto.randomUUID() }
    expect(await ingestTransaction(deps(), company.scope, stranger)).toEqual({ kind: 'no_card' })
  })

  test('a credit after the card was closed goes to the card account, once', async () => {
    const closing = await issueCard(server, company, { amount: '60.00' })
    const cardId = findId('card', closing.id) ?? ''
    const pending = report({ cardId, amount: -2000n })
    await ingestTransaction(deps(), company.scope, pending)
    await server.post(`/api/v1/cards/${closing.id}/close`, company.key)
    const before = Number(await readBalance(server, company))
    await ingestTransaction(deps(), company.scope, { ...pending, status: 'reversed' })
    await ingestTransaction(deps(), company.scope, { ...pending, status: 'reversed' })
    expect(Number(await readBalance(server, company))).toBe(before + 20)
    expect(await readCard(server, company, closing.id)).toMatchObject({ status: 'closed', balance: '0.00' })
  })

  test('after reports in any order and number, the card’s balance matches its payments', async () => {
    const status = fc.constantFrom<TransactionStatus>('pending', 'settled', 'reversed', 'expired', 'declined')
    const events = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), status, fc.integer({ min: 1, max: 900 })), {
      maxLength: 25,
    })
    await fc.assert(
      fc.asyncProperty(events, async (reports) => {
        const base = (reported += 1)
        await Promise.all(
          reports.map(([which, to, amount]) =>
            ingestTransaction(
              deps(),
              company.scope,
              report({ issuerId: `p-${base}-${which}`, status: to, amount: BigInt(-amount) }),
            ),
          ),
        )
        await expectBooksRight(server)
      }),
      { numRuns: 15 },
    )
  })
})

describe('GET /transactions', () => {
  test('is ordered by the time of the payment, and pages do not repeat or skip payments while others arrive', async () => {
    const own = await issueCard(server, company, { amount: '500.00' })
    const cardId = findId('card', own.id) ?? ''
    const start = server.clock.now().getTime()
    const minutes = [5, 1, 4, 4, 2, 3, 4, 0, 5, 2, 1, 3]
    for (const minute of minutes) {
      await ingestTransaction(
        deps(),
        company.scope,
        report({ cardId, amount: -1n, occurredAt: new Date(start - minute * 60_000) }),
      )
    }
    const all = (await list(`?cardId=${own.id}`)).body.data
    expect(all.map(({ occurredAt }) => (start - Date.parse(occurredAt)) / 60_000)).toEqual(
      minutes.toSorted((a, b) => a - b),
    )
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: Awaited<ReturnType<typeof list>> = await list(
        `?cardId=${own.id}&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor
      await ingestTransaction(deps(), company.scope, report({ cardId, amount: -1n, occurredAt: server.clock.now() }))
      await server.db.run(sql`delete from transaction where id = ${findId('txn', seen.at(-1) ?? '')}`)
    }
    expect(seen).toEqual(all.map(({ id }) => id))
    // Undo the effect of the deleted payments on the card's balance, so that the books agree.
    await server.db.run(
      sql`update card set balance = 50000 + (select coalesce(sum(applied), 0) from transaction where card_id = ${cardId}) where id = ${cardId}`,
    )
  })

  test('filters by the category that spend is added up by, in the list and in its totals', async () => {
    const own = await issueCard(server, company, { amount: '50.00' })
    const paid = async (merchantCategory: string) =>
      (await pay({ cardId: own.id, type: 'purchase', amount: '1', merchantCategory })).body
    const [hotel, flight, meal, odd] = [await paid('7011'), await paid('3058'), await paid('5812'), await paid('8398')]
    // The sandbox invents no merchant for a fee, so nothing is known of its category.
    const fee = (await pay({ cardId: own.id, type: 'fee', amount: '1' })).body
    const ids = async (query: string) => (await list(`?cardId=${own.id}&${query}`)).body.data.map(({ id }) => id)
    const sorted = (...items: Wire[]) => items.map(({ id }) => id).toSorted()
    expect((await ids('category=travel')).toSorted()).toEqual(sorted(hotel, flight))
    expect(await ids('category=restaurants')).toEqual([meal.id])
    expect(await ids('category=other')).toEqual([odd.id])
    expect(await ids('category=unknown')).toEqual([fee.id])
    expect(await ids('category=unknown&type=purchase')).toEqual([])
    expect(await ids('category=health')).toEqual([])
    const first = await list(`?cardId=${own.id}&category=travel&limit=1`)
    const next = (category: string) =>
      list(`?cardId=${own.id}&category=${category}&limit=1&cursor=${first.body.nextCursor}`)
    const second = await next('travel')
    expect([...first.body.data, ...second.body.data].map(({ id }) => id).toSorted()).toEqual(sorted(hotel, flight))
    expect(second.body.nextCursor).toBeNull()
    expectError(await next('restaurants'), 'validation_failed')
    const totals = await server.get<{ data: { count: number; amount: string }[] }>(
      `/api/v1/transactions/totals?cardId=${own.id}&category=travel`,
      company.key,
    )
    expect(totals.body.data).toMatchObject([{ count: 2, amount: '-2.00' }])
    const refusal = expectError(await list('?category=yachts'), 'validation_failed')
    expect(refusal.details).toEqual({
      problems: [expect.stringMatching(/^query\.category must be one of cash, .*, travel, .*, unknown$/)],
    })
  })

  test('filters by card, type, status and time, and a cursor is bound to the filters and cannot be forged', async () => {
    server.clock.advance(86_400_000)
    const day = server.clock.now().toISOString().slice(0, 10)
    const own = await issueCard(server, company, { amount: '50.00' })
    const paid = (body: object) => pay({ cardId: own.id, ...body })
    const [purchase, refund, pending] = [
      (await paid({ type: 'purchase', amount: '1' })).body,
      (await paid({ type: 'refund', amount: '1' })).body,
      (await paid({ type: 'purchase', amount: '1', status: 'pending' })).body,
    ]
    const ids = async (query: string) => (await list(query)).body.data.map(({ id }) => id).toSorted()
    const sorted = (...items: Wire[]) => items.map(({ id }) => id).toSorted()
    expect(await ids(`?cardId=${own.id}`)).toEqual(sorted(purchase, refund, pending))
    expect(await ids(`?cardId=${own.id}&type=refund`)).toEqual(sorted(refund))
    expect(await ids(`?status=pending&from=${day}`)).toEqual(sorted(pending))
    expect(await ids(`?from=${day}&to=${day}`)).toEqual(sorted(purchase, refund, pending))
    expect(await ids(`?cardId=${own.id}&to=2026-03-09`)).toEqual([])
    expect(await ids('?cardId=card_none')).toEqual([])
    for (const query of [
      '?type=theft',
      '?status=lost',
      '?category=yachts',
      '?category=',
      '?category=travel&category=cash',
      '?from=yesterday',
      '?extra=1',
      '?limit=0',
      '?limit=101',
    ]) {
      expectError(await list(query), 'validation_failed')
    }
    const { nextCursor } = (await list(`?cardId=${own.id}&limit=1`)).body
    expect((await list(`?cardId=${own.id}&limit=2&cursor=${nextCursor}`)).body.data).toHaveLength(2)
    expectError(await list(`?cardId=${card.id}&cursor=${nextCursor}`), 'validation_failed')
    expectError(await list(`?cursor=${nextCursor}`), 'validation_failed')
    const bytes = Buffer.from(nextCursor ?? '', 'base64url')
    for (let index = 0; index < bytes.length; index += 1) {
      const forged = Buffer.from(bytes)
      forged[index] = (forged[index] ?? 0) ^ 1
      expectError(await list(`?cardId=${own.id}&cursor=${forged.toString('base64url')}`), 'validation_failed')
    }
    const other = await server.createCompany()
    expectError(
      await server.get(`/api/v1/transactions?cardId=${own.id}&cursor=${nextCursor}`, other.key),
      'validation_failed',
    )
  })

  test('another company’s payment is not found and not listed', async () => {
    const { body } = await pay({ type: 'purchase', amount: '1' })
    const other = await server.createCompany()
    expectError(await server.get(`/api/v1/transactions/${body.id}`, other.key), 'not_found')
    expect((await server.get('/api/v1/transactions', other.key)).body).toEqual({ data: [], nextCursor: null })
    const stranger = await server.createKey(company.id, { scopes: ['cards:read'] })
    expectError(await server.get('/api/v1/transactions', stranger), 'scope_missing')
  })
})

test('card_json and transaction_json return the wire form', async () => {
  await pay({ type: 'purchase', amount: '0.07', merchant: 'Ünïcode "quoted" \\ 店', country: 'JP', status: 'pending' })
  await issueCard(server, company, { name: 'change unknown' }).then(({ id }) =>
    server.post(`/api/v1/cards/${id}/freeze`, company.key),
  )
  const cards = await server.db.many<{ id: string; json: unknown }>(
    sql`select id, card_json(row(c.*)::card) as json from card c`,
  )
  expect(cards.length).toBeGreaterThan(2)
  expect(cards.some(({ json }) => 'pendingStatus' in (json as object))).toBe(true)
  for (const { id, json } of cards) expect(json).toEqual(toCard(must(await findCard(server.db, company.scope, id))))
  const payments = await server.db.many<{ id: string; json: unknown }>(
    sql`select id, transaction_json(row(t.*)::transaction) as json from transaction t order by id desc limit 200`,
  )
  for (const { id, json } of payments) {
    expect(json).toEqual(toTransactionData(must(await findTransaction(server.db, company.scope, id))))
  }
})

describe('GET /transactions/totals', () => {
  test('adds up what matches, by type, status and currency, for one company', async () => {
    const own = await server.createCompany()
    await fund(server, own, '1000')
    const ownCard = await issueCard(server, own, { amount: '500.00' })
    const totals = async (query = '', key = own.key) =>
      (await server.get<{ data: object[] }>(`/api/v1/transactions/totals${query}`, key)).body.data
    expect(await totals()).toEqual([])
    for (const amount of ['10.10', '20.20', '0.01'])
      await pay({ cardId: ownCard.id, type: 'purchase', amount }, own.key)
    await pay({ cardId: ownCard.id, type: 'purchase', amount: '9999.00' }, own.key)
    await pay({ cardId: ownCard.id, type: 'refund', amount: '5.00' }, own.key)
    const settled = { type: 'purchase', status: 'settled', currency: 'USD', count: 3, amount: '-30.31' }
    const declined = { type: 'purchase', status: 'declined', currency: 'USD', count: 1, amount: '-9999.00' }
    const refund = { type: 'refund', status: 'settled', currency: 'USD', count: 1, amount: '5.00' }
    expect(await totals()).toEqual([declined, settled, refund])
    expect(await totals('?status=settled')).toEqual([settled, refund])
    expect(await totals(`?type=refund&cardId=${ownCard.id}`)).toEqual([refund])
    expect(await totals(`?cardId=${card.id}`)).toEqual([])
    expect(await totals('?to=2020-01-01')).toEqual([])
    expectError(await server.get('/api/v1/transactions/totals?status=lost', own.key), 'validation_failed')
    expectError(await server.get('/api/v1/transactions/totals?limit=5', own.key), 'validation_failed')
  })
  test('too many combinations are refused, because a live issuer may report any currency', async () => {
    const own = await server.createCompany()
    await fund(server, own, '1000')
    const ownCard = await issueCard(server, own, { amount: '500.00' })
    const now = server.clock.now()
    await server.db.run(sql`
      insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied, merchant,
                               country, description, occurred_at, created_at, updated_at)
      select ${own.id}, 'sandbox', gen_random_uuid(), ${findId('card', ownCard.id)}, n::text, 'purchase', 'declined', -1,
             chr(65 + n / 676) || chr(65 + n / 26 % 26) || chr(65 + n % 26), -1, 0, '',
             '', '', ${now}::timestamptz - n * interval '1 minute', ${now}, ${now}
      from generate_series(0, 3000) n`)
    const totals = (query = '') => server.get<{ data: object[] }>(`/api/v1/transactions/totals${query}`, own.key)
    const refused = expectError(await totals(), 'validation_failed')
    expect(refused).toMatchObject({ param: 'from', message: expect.stringContaining('more than 3000 combinations') })
    const since = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
    expect((await totals(`?from=${since(2_999)}`)).body.data).toHaveLength(3_000)
    expect((await totals(`?from=${since(2)}`)).body.data).toEqual(
      ['AAA', 'AAB', 'AAC'].map((currency) => ({
        type: 'purchase',
        status: 'declined',
        currency,
        count: 1,
        amount: '-0.01',
      })),
    )
  })
})
