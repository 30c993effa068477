// The sandbox completes operations in the statement that claims them. It leaves what a claim, a request and a settlement leave, and never
// takes what another worker has taken.
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { cardIdOf } from '../../src/cards/card-id.ts'
import type { Db } from '../../src/db/pool.ts'
import { createGate } from '../../src/issuer/gate.ts'
import { AT_ONCE, createSandboxIssuer, last4Of, receiptOf } from '../../src/issuer/sandbox.ts'
import type { Settlement } from '../../src/ledger/items.ts'
import { settleOperations } from '../../src/ledger/queries.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { cents } from '../../src/lib/money.ts'
import { newId, ZERO_ID } from '../../src/lib/ids.ts'
import { claimOperations, type ClaimedOperation, completeOperations, type Turn } from '../../src/operations/queries.ts'
import { createEndpoint } from '../../src/webhooks/queries.ts'
import { Book, type BookCompany, issue, LEASE_MS, service, topup } from '../ledger/book.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import { onCitus } from '../support/on-citus.ts'

const TABLES =
  'account operation issuer_request entry card card_operation event event_counter delivery delivery_queue'.split(' ')

const book = await Book.open()
const client = new pg.Client(book.connection)
await client.connect()
afterAll(async () => {
  await client.end()
  await book.close()
})

const turn = (share = 200): Turn => ({ share, after: ZERO_ID, companies: [], positions: [] })
const due = (limit = 200) => ({ environment: 'sandbox' as const, now: book.clock.now(), limit })
const complete = (db: Db = book.db, limit = 200, share = 200) =>
  completeOperations(db, due(limit), turn(share), AT_ONCE)
const statusesOf = (company: BookCompany, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await book.find(company, id)).status))

const inTransaction: Db = {
  ...book.db,
  many: async <Row>({ text, values }: Parameters<Db['many']>[0]) =>
    (await client.query(text, [...values])).rows as Row[],
}

/** Returns all rows after a piece of work, which is rolled back. */
async function rowsAfter(work: (db: Db) => Promise<unknown>): Promise<Record<string, unknown>> {
  await client.query('begin')
  try {
    await work(inTransaction)
    const rows: Record<string, unknown> = {}
    for (const table of TABLES) {
      const text = `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`
      rows[table] = (await client.query<{ row: unknown }>(text)).rows.map(({ row }) => row)
    }
    return rows
  } finally {
    await client.query('rollback')
  }
}

/** As the worker does it with an issuer that answers at once. */
async function sendEach(db: Db): Promise<void> {
  const leaseUntil = new Date(book.clock.now().getTime() + LEASE_MS)
  const claimed = await claimOperations(db, { ...due(), leaseUntil }, turn())
  const inOrder = claimed.toSorted((a, b) => (`${a.company_id} ${a.id}` < `${b.company_id} ${b.id}` ? -1 : 1))
  await settleOperations(db, book.clock.now(), inOrder.map(confirmationOf))
}

function confirmationOf({ company_id: companyId, environment, id, type }: ClaimedOperation): Settlement {
  const card = type === 'issue' ? { card: { id: cardIdOf(id), last4: last4Of(id) } } : {}
  return { scope: { companyId, environment }, id, status: 'completed', receipt: receiptOf(id), ...card }
}

function startWorker() {
  const { db, clock } = book
  const lines: string[] = []
  const log = createLog({ level: 'error', destination: { write: (line) => void lines.push(line) } })
  const timeoutMs = LEASE_MS
  const issuer = createSandboxIssuer({ db, clock, slowMs: 0 })
  const gates = { sandbox: createGate({ issuer, environment: 'sandbox', clock, log, timeoutMs }), live: undefined }
  const settler = createSettler({ db, clock })
  const deps = { db, clock, log, gates, settler, issuerTimeoutMs: timeoutMs, onRoom: () => {} }
  return { lines, worker: createOperationsWorker(deps) }
}

const listOpen = (id: string) =>
  book.many<ClaimedOperation>(
    `select company_id, environment, id, type from operation where id = $1 and status = 'processing'`,
    [id],
  )

async function addEndpoint({ scope }: BookCompany): Promise<void> {
  const now = book.clock.now()
  const secret = { id: newId(now), ciphertext: Buffer.from('x'), keyId: 'k' }
  const endpoint = { id: newId(now), url: 'https://example.com', events: ['*'], description: null, secret, limit: 10 }
  await createEndpoint(book.db, scope, now, endpoint)
}

describe.skipIf(onCitus('one company'))('on one PostgreSQL', () => {
  it('what one statement completes leaves every row as a claim, a request and a settlement of each do', async () => {
    const companies = [
      await book.addCompany(100_000n),
      await book.addCompany(100_000n),
      await book.addCompany(100_000n),
    ]
    await addEndpoint(companies[1] as BookCompany)
    const cards = new Map<BookCompany, string>()
    for (const company of companies) cards.set(company, await book.makeCard(company))
    const closed = await book.makeCard(companies[0] as BookCompany)
    for (const [company, card] of cards) {
      for (const candidate of [issue(company), topup(company, card), service(company), issue(company, { name: 'Own' })])
        await book.accept(candidate)
      await book.accept(topup(company, card, { fee: cents(0n) }))
    }
    await book.accept(topup(companies[0] as BookCompany, closed))
    await book.run(`update card set status = 'closed', balance = 0 where id = $1`, [closed])
    book.clock.advance(1_000)
    const left = await rowsAfter((db) => complete(db))
    expect(left).toEqual(await rowsAfter(sendEach))
    expect(left['issuer_request']).toEqual([])
    expect(left['delivery']).not.toEqual([])
    await complete()
    await book.run(`update card set status = 'active' where status = 'closed'`)
    await book.requireClean()
  })

  it('leaves operations in the queue whose name, recipient or amount has an outcome of its own, and counts them', async () => {
    const company = await book.addCompany(100_000n)
    const card = await book.makeCard(company)
    const special = [
      ...['fail', 'unknown', 'slow'].flatMap((name) => [
        issue(company, { name }),
        service(company, { recipient: name }),
      ]),
      ...[1066n, 1077n, 1088n].map((amount) => topup(company, card, { amount: cents(amount) })),
    ]
    const plain = [issue(company, { name: 'failed' }), service(company, { recipient: 'Slow' }), topup(company, card)]
    const ids: string[] = []
    for (const candidate of [...special, ...plain]) ids.push(await book.accept(candidate))
    const last = book.clock.now()
    expect(await complete()).toEqual([
      { company_id: company.scope.companyId, due: ids.length, last, left_out: special.length },
    ])
    expect(await statusesOf(company, ids)).toEqual([...special.map(() => 'queued'), ...plain.map(() => 'completed')])
    await book.requireClean()
    await book.claimAll()
  })

  it('takes at most its limit, divides it among the companies, and goes on with the rest', async () => {
    const [one, other] = [await book.addCompany(100_000n), await book.addCompany(100_000n)]
    for (let count = 0; count < 8; count += 1) await book.accept(service(one))
    await book.accept(service(other))
    const first = await complete(book.db, 5, 2)
    expect(Object.fromEntries(first.map((row) => [row.company_id, row.due]))).toEqual({
      [one.scope.companyId]: 4,
      [other.scope.companyId]: 1,
    })
    expect((await complete()).map((row) => row.due)).toEqual([4])
    expect(await complete()).toEqual([])
  })

  it('an operation that cannot be completed does not hold up the others of its batch', async () => {
    const [broken, sound] = [await book.addCompany(100_000n), await book.addCompany(100_000n)]
    const stuck = await book.accept(service(broken))
    const ids = [await book.accept(service(sound)), await book.accept(issue(sound))]
    // Less is held than the capture takes, so that a constraint refuses it.
    const hold = (held: string) =>
      book.run(`update account set held = ${held} where company_id = $1 and environment = 'sandbox'`, [
        broken.scope.companyId,
      ])
    await hold('held - 1')
    const { lines, worker } = startWorker()
    await worker.claims.run()
    await worker.idle()
    expect(await statusesOf(sound, ids)).toEqual(['completed', 'completed'])
    expect(await statusesOf(broken, [stuck])).toEqual(['processing'])
    expect(lines.join('')).toContain('They are sent one by one.')
    await hold('held + 1')
    const [row] = await listOpen(stuck)
    await book.settleAll([confirmationOf(must(row))])
    await book.requireClean()
  })

  it('of several workers at once, each operation is completed by one, and what another has claimed by none', async () => {
    const company = await book.addCompany(1_000_000n)
    const ids: string[] = []
    for (let count = 0; count < 60; count += 1) ids.push(await book.accept(service(company)))
    const leaseUntil = new Date(book.clock.now().getTime() + LEASE_MS)
    const first = await claimOperations(book.db, { ...due(5), leaseUntil }, turn())
    const [claimed] = await Promise.all([
      claimOperations(book.db, { ...due(20), leaseUntil }, turn()),
      ...Array.from({ length: 4 }, () => complete()),
    ])
    await complete()
    const claims = [...first, ...claimed]
    const taken = new Set(claims.map(({ id }) => id))
    expect(taken.size).toBe(claims.length)
    expect(await statusesOf(company, ids)).toEqual(ids.map((id) => (taken.has(id) ? 'processing' : 'completed')))
    const completed = ids.filter((id) => !taken.has(id))
    for (const id of completed) expect(await book.entryKinds(id)).toEqual(['reservation', 'capture', 'fee'])
    await book.settleAll(claims.map(confirmationOf))
    await book.requireClean()
  })
})
