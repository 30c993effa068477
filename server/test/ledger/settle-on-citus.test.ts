// settle_operations has another text on Citus. This runs both on the same batch, each in a transaction that is rolled back, and compares
// what they return and every row that they leave. The text for Citus is plain SQL, so that it needs no cluster.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import type { Settlement } from '../../src/ledger/items.ts'
import { settleOperations } from '../../src/ledger/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { ingestTransaction } from '../../src/transactions/ingest.ts'
import { createEndpoint } from '../../src/webhooks/queries.ts'
import { onCitus } from '../support/on-citus.ts'
import { Book, type BookCompany, completed, failed, issue, service, topup } from './book.ts'

const TEXT = readFileSync(new URL('../../sql/citus/functions/settle_operations.sql', import.meta.url), 'utf8')
const TABLES =
  'account operation issuer_request entry card card_operation event event_counter delivery delivery_queue'.split(' ')

const book = await Book.open()
await book.run(TEXT.replace('function settle_operations(', 'function settle_on_citus('))
const client = new pg.Client(book.connection)
await client.connect()
afterAll(async () => {
  await client.end()
  await book.close()
})

/** Returns what the function returns, and all rows of the company afterwards. The transaction is rolled back. */
async function settleWith(name: string, { scope }: BookCompany, items: readonly Settlement[]) {
  const many = async <Row>({ text, values }: Parameters<Db['many']>[0]) =>
    (await client.query(text.replace('settle_operations', name), [...values])).rows as Row[]
  await client.query('begin')
  try {
    const unmoved = await settleOperations({ ...book.db, many }, book.clock.now(), items)
    const rows: Record<string, unknown> = {}
    for (const table of TABLES) {
      const text = `select to_jsonb(t) as row from ${table} t where company_id = $1 order by to_jsonb(t)::text`
      rows[table] = (await client.query<{ row: unknown }>(text, [scope.companyId])).rows.map(({ row }) => row)
    }
    return { unmoved: unmoved.toSorted((a, b) => a.item - b.item), rows }
  } finally {
    await client.query('rollback')
  }
}

async function addEndpoint({ scope }: BookCompany): Promise<void> {
  const now = book.clock.now()
  const secret = { id: newId(now), ciphertext: Buffer.from('x'), keyId: 'k' }
  const endpoint = { id: newId(now), url: 'https://example.com', events: ['*'], description: null, secret, limit: 10 }
  await createEndpoint(book.db, scope, now, endpoint)
}

const pay = ({ scope }: BookCompany, cardId: string, amount: bigint) =>
  ingestTransaction(book, scope, {
    issuerId: `payment with ${cardId}`,
    cardId,
    type: 'purchase',
    status: 'settled',
    amount,
    currency: 'USD',
    occurredAt: book.clock.now(),
  })

/** Every kind of item: in both environments, of each type, with each outcome, twice in the batch, and not movable. */
async function makeBatch(company: BookCompany): Promise<Settlement[]> {
  const { scope } = company
  const live: BookCompany = { ...company, scope: { ...scope, environment: 'live' } }
  await book.fund(live, 100_000n)
  const [open, closed] = [await book.makeCard(company), await book.makeCard(company)]
  const accept = async (...candidates: Parameters<Book['accept']>[0][]) => {
    const ids: string[] = []
    for (const candidate of candidates) ids.push(await book.accept(candidate))
    return ids as [string, string, string, string, string]
  }
  const services = await accept(...Array.from({ length: 5 }, () => service(company)))
  const issues = await accept(...Array.from({ length: 3 }, () => issue(company)))
  const topups = await accept(...[open, open, closed, closed, closed].map((card) => topup(company, card)))
  const [elsewhere] = await accept(service(live))
  await book.claimAll()
  for (const table of ['operation', 'issuer_request'])
    await book.run(`update ${table} set status = 'processing' where id = $1`, [elsewhere])
  await book.settleAll([{ scope, id: services[0], status: 'manual_review' }])
  await book.run(`select report_card_status($1, $2, 'sandbox', $3, 'closed', null)`, [
    scope.companyId,
    book.clock.now(),
    closed,
  ])
  // Each card owes 15.00 for payments that it had not enough for, which the first of its two top-ups does not make up for.
  await pay(company, open, -2_500n)
  await pay(company, closed, -1_500n)
  const [queued] = await accept(service(company))
  const dueAt = new Date(book.clock.now().getTime() + 60_000)
  return [
    completed(company, topups[0], 'topup'),
    completed(company, services[0], 'service'),
    completed(company, issues[0], 'issue'),
    completed(live, elsewhere, 'service'),
    failed(company, issues[1]),
    failed(company, issues[0]),
    completed(company, topups[2], 'topup'),
    { scope, id: services[1], status: 'queued', dueAt },
    { scope, id: services[2], status: 'processing', dueAt, lookUps: 3 },
    { scope, id: services[3], status: 'manual_review' },
    failed(company, topups[3]),
    completed(company, topups[1], 'topup'),
    completed(company, topups[4], 'topup'),
    completed(company, issues[2], 'issue'),
    failed(company, services[4]),
    failed(company, queued),
    failed(company, newId(book.clock.now())),
    completed(company, services[4], 'service'),
  ]
}

it.skipIf(onCitus('both texts')).each([
  ['without endpoints', false],
  ['with an endpoint', true],
])('both texts do the same with a batch of everything, %s', async (_name, hasEndpoint) => {
  const company = await book.addCompany(100_000n)
  if (hasEndpoint) await addEndpoint(company)
  const items = await makeBatch(company)
  const expected = await settleWith('settle_operations', company, items)
  expect(expected.unmoved.map(({ item }) => item)).toEqual([6, 16, 17, 18])
  expect((expected.rows['delivery'] as unknown[]).length > 20).toBe(hasEndpoint)
  expect(await settleWith('settle_on_citus', company, items)).toEqual(expected)
  for (const item of items)
    expect(await settleWith('settle_on_citus', company, [item]), JSON.stringify(item)).toEqual(
      await settleWith('settle_operations', company, [item]),
    )
})

it.skipIf(onCitus('both texts'))('the text for Citus refuses a batch of two companies', async () => {
  const [a, b] = [await book.addCompany(100_000n), await book.addCompany(100_000n)]
  const items = [failed(a, await book.accept(service(a))), failed(b, await book.accept(service(b)))]
  await expect(settleWith('settle_on_citus', a, items)).rejects.toThrow('a batch is of one company')
})
