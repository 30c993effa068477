// Measurements that need a history: claiming from a queue of a million against a thousand, settling by batch size, and
// pages of a list of a million operations against ten thousand.
import { randomUUID } from 'node:crypto'
import { claimOperations, type ClaimedOperation } from '../../server/src/operations/queries.ts'
import { createTurns, summarise, type Turns } from '../../server/src/operations/turns.ts'
import { acceptOperations, settleOperations } from '../../server/src/ledger/queries.ts'
import type { AcceptItem, Settlement } from '../../server/src/ledger/items.ts'
import { type Connection, createPool, type Pool } from '../../server/src/db/pool.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { cents } from '../../server/src/lib/money.ts'
import { type Bench, startServer } from './bench.ts'
import { createMigrated } from './database.ts'
import { download } from './download.ts'
import { pagesPerSecond } from './pages.ts'
import { median, type Rounds } from './rounds.ts'
import { AMOUNT_CENTS, type Company, FEE_CENTS, seedBacklog } from './seed.ts'

const TEN_THOUSAND = 10_000
const CLAIM_SIZE = 200
/** The first claims are not counted, because their plans and pages are not cached yet. */
const CLAIMS_NOT_COUNTED = 24
const LEASE_MS = 3_600_000
/** Enough to seed a million rows and to audit them. */
const STATEMENT_TIMEOUT_MS = 600_000
const SETTLE_SIZES = [1, 10, 100, 256]
/** Batches per size: enough for a median, few enough to be quick. */
const SETTLE_BATCHES = 12
/** Rounds are short: see pages.ts. */
const LIST_ROUNDS = 168
const PAGE = 50
/** How far into the longer list the deep page is. */
const DEEP = 20_000

export interface Queue {
  readonly connection: Connection
  readonly db: Pool
  readonly company: Company
  readonly turns: Turns
  claimed: ClaimedOperation[]
}

/** Makes a queue in a database of its own, because a claim looks at the queued operations of all companies. */
export async function makeQueue(bench: Bench, name: string, size: number): Promise<Queue> {
  const connection = await createMigrated(bench, name)
  const db = createPool(connection, { size: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
  const company = await seedBacklog(db, size, bench.note)
  return { connection, db, company, turns: createTurns(), claimed: [] }
}

export async function measureClaims(bench: Bench, rounds: Rounds, queues: { thousand: Queue; million: Queue }) {
  for (const queue of [queues.thousand, queues.million])
    await queue.db.run({ name: undefined, text: 'vacuum analyze', values: [] })
  for (let claim = 0; claim < CLAIMS_NOT_COUNTED; claim += 1) {
    await claimOnce(queues.thousand)
    await claimOnce(queues.million)
  }
  await rounds.run(
    [
      { name: 'claim of a thousand, ms', measure: () => claimOnce(queues.thousand) },
      { name: 'claim of a million, ms', measure: () => claimOnce(queues.million) },
    ],
    bench.plan.claims,
    () => undefined,
  )
}

/** Claims as the worker does: committed, and continuing where the last claim ended. Refills the queue first. */
async function claimOnce(queue: Queue): Promise<number> {
  await accept(queue.db, queue.company, CLAIM_SIZE)
  const now = new Date()
  const startMs = performance.now()
  const turn = queue.turns.next(CLAIM_SIZE)
  const leaseUntil = new Date(now.getTime() + LEASE_MS)
  const rows = await claimOperations(queue.db, { environment: 'sandbox', now, leaseUntil, limit: CLAIM_SIZE }, turn)
  queue.turns.record(turn, summarise(rows), now)
  const elapsedMs = performance.now() - startMs
  if (rows.length !== CLAIM_SIZE) throw new Error(`A claim returned ${rows.length} operations.`)
  queue.claimed.push(...rows)
  return elapsedMs
}

/** Returns the ids of the operations. */
export async function accept(db: Pool, company: Company, count: number): Promise<string[]> {
  const now = new Date()
  const items = Array.from({ length: count }, (): AcceptItem => {
    const id = newId(now)
    const candidate = {
      scope: { companyId: company.id, environment: 'sandbox' },
      type: 'issue',
      productId: 'prod_card_virtual',
      amount: cents(AMOUNT_CENTS),
      fee: cents(FEE_CENTS),
      holderId: company.holderId,
      cardId: null,
      name: null,
      recipient: null,
      idempotencyKey: randomUUID(),
      digest: '00',
      issuanceQuota: null,
    } as const
    return { id, candidate }
  })
  const refused = await acceptOperations(db, now, items)
  if (refused.length > 0) throw new Error(`Operations could not be queued: ${refused[0]?.verdict}`)
  return items.map(({ id }) => id)
}

/** Returns operations settled per second by batch size. The operations are those claimed from the queue of a million. */
export async function measureSettling(bench: Bench, queue: Queue): Promise<[size: number, rate: number][]> {
  const rates: [number, number][] = []
  for (const size of SETTLE_SIZES) {
    while (queue.claimed.length < size * SETTLE_BATCHES) await claimOnce(queue)
    const times: number[] = []
    for (let batch = 0; batch < SETTLE_BATCHES; batch += 1) {
      const now = new Date()
      const items = queue.claimed.splice(0, size).map((row): Settlement => completed(row, now))
      const startMs = performance.now()
      const unmoved = await settleOperations(queue.db, now, items)
      times.push(performance.now() - startMs)
      if (unmoved.length > 0) throw new Error('An operation could not be settled.')
    }
    rates.push([size, (size * 1000) / median(times)])
    bench.note(`settling in batches of ${size}: ${Math.round((size * 1000) / median(times))}/s`)
  }
  return rates
}

function completed(row: ClaimedOperation, now: Date): Settlement {
  return {
    scope: { companyId: row.company_id, environment: row.environment },
    id: row.id,
    status: 'completed',
    receipt: `rcpt_${row.id}`,
    card: { id: newId(now), last4: '0000' },
  }
}

export async function measureLists(bench: Bench, rounds: Rounds, million: Queue): Promise<void> {
  const tenThousand = await seedBacklog(million.db, TEN_THOUSAND, bench.note)
  await million.db.run({ name: undefined, text: 'vacuum analyze operation', values: [] })
  const { port, child } = await startServer(bench, 'engine', million.connection)
  const rateOf = async (company: Company, depth: number) => {
    const paths = [listPath(), listPath(await walk(port, company, depth))]
    return () => pagesPerSecond((page) => download(port, company.key, paths[page % 2] ?? ''))
  }
  const few = await rateOf(tenThousand, TEN_THOUSAND / 2)
  const many = await rateOf(million.company, DEEP)
  for (const warmUp of [few, many, few, many]) await warmUp()
  await rounds.run(
    [
      { name: 'pages of ten thousand', measure: few },
      { name: 'pages of a million', measure: many },
    ],
    LIST_ROUNDS,
    () => undefined,
  )
  await child.stop()
}

const listPath = (cursor?: string) =>
  cursor === undefined ? `/api/v1/operations?limit=${PAGE}` : `/api/v1/operations?limit=${PAGE}&cursor=${cursor}`

/** Reads page by page, because that is the only way to get a cursor. */
async function walk(port: number, company: Company, depth: number): Promise<string> {
  let cursor: string | null = null
  for (let seen = 0; seen < depth; seen += 100) {
    const path: string = `/api/v1/operations?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${company.key}` },
    })
    const page = (await response.json()) as { nextCursor: string | null }
    if (page.nextCursor === null) throw new Error('The list ended early.')
    cursor = page.nextCursor
  }
  return cursor ?? ''
}
