// Companies take turns: one company's backlog does not delay the operations of the others. On Citus a claim takes the work of one
// node, so all companies are on one.
import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import { claimOperations } from '../../src/operations/queries.ts'
import { createTurns, summarise } from '../../src/operations/turns.ts'
import { Book, type BookCompany, LEASE_MS, service } from '../ledger/book.ts'
import { createGates, type IssuerScript } from '../support/gates.ts'
import { selectWaiting, testGrouping } from '../support/on-citus.ts'

const BATCH = 500
const BACKLOG = 20_000
const CLAIM_SIZE = 200

const book = await Book.open()
afterAll(() => book.close())
beforeEach(() => book.claimAll())

const addCompany = () => book.addNeighbour(100_000_000n)

async function queue(company: BookCompany, count: number): Promise<void> {
  for (let queued = 0; queued < count; queued += BATCH) {
    const candidates = Array.from({ length: Math.min(BATCH, count - queued) }, () => service(company))
    expect(await book.acceptBatch(candidates)).toEqual([])
  }
}

/** Returns a function that claims as one worker does, again and again, and returns whose operations it claimed. */
function createClaimer(limit: number) {
  const turns = createTurns()
  return async () => {
    const now = book.clock.now()
    const turn = turns.next(limit)
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const rows = await claimOperations(book.db, { environment: 'sandbox', now, leaseUntil, limit }, turn)
    turns.record(turn, summarise(rows), now)
    return rows
  }
}

async function claimCounts(claim: ReturnType<typeof createClaimer>, companies: readonly BookCompany[]) {
  const rows = await claim()
  return companies.map(({ scope }) => rows.filter((row) => row.company_id === scope.companyId).length)
}

async function countQueued({ scope }: BookCompany): Promise<number> {
  const [row] = await book.many<{ count: number }>(
    `select count(*)::int as count from operation where company_id = $1 and environment = $2 and status = 'queued'`,
    [scope.companyId, scope.environment],
  )
  return row?.count ?? 0
}

it('an operation beside a backlog of 20,000 is claimed by the first claim after it is due, and finishes first', async () => {
  const [big, small] = [await addCompany(), await addCompany()]
  await queue(big, BACKLOG)
  const send = async () => ({ kind: 'confirmed', receipt: 'R', last4: '4242' }) as const
  const issuer: IssuerScript = {
    issueCard: send,
    topUpCard: send,
    orderService: send,
    lookUp: async () => ({ kind: 'unknown', reason: 'not found', answered: true }),
    lookUpDelaysMs: [],
    callsMax: CLAIM_SIZE,
  }
  const processor = createOperationsWorker({
    db: book.db,
    clock: book.clock,
    log: createLog({ level: 'silent' }),
    settler: createSettler({ db: book.db, clock: book.clock, grouping: testGrouping() }),
    grouping: testGrouping(),
    gates: createGates(issuer, { clock: book.clock, timeoutMs: 60_000 }),
    issuerTimeoutMs: 60_000,
    onRoom: () => {},
  })
  await processor.claims.run()
  await processor.idle()
  book.clock.advance(1)
  const id = await book.accept(service(small))
  await processor.claims.run()
  await processor.idle()
  expect((await book.find(small, id)).status).toBe('completed')
  expect(await countQueued(big)).toBe(BACKLOG - 2 * CLAIM_SIZE + 1)
})

it('everybody gets a turn beside a company with many operations', async () => {
  const many = await addCompany()
  await queue(many, 300)
  book.clock.advance(1)
  const others = await Promise.all(Array.from({ length: 30 }, addCompany))
  expect(await book.acceptBatch(others.map((company) => service(company)))).toEqual([])
  const claim = createClaimer(20)
  // A claim of 20 gives each company at most two, so that two claims reach all 31.
  const claims = [await claimCounts(claim, others), await claimCounts(claim, others)]
  expect(others.map((_, company) => claims.map((counts) => counts[company] ?? 0).toSorted((a, b) => a - b))).toEqual(
    others.map(() => [0, 1]),
  )
})

it('turns go round when only one operation can be carried out at a time', async () => {
  const companies = await Promise.all(Array.from({ length: 4 }, addCompany))
  for (const company of companies) await queue(company, 5)
  const claim = createClaimer(1)
  for (let round = 0; round < 3; round += 1) {
    const served = new Set<string | undefined>()
    for (const _ of companies) served.add((await claim())[0]?.company_id)
    expect(served).toEqual(new Set(companies.map(({ scope }) => scope.companyId)))
  }
})

it('what some companies leave of a claim is divided evenly among those that have more', async () => {
  const companies = await Promise.all(Array.from({ length: 4 }, addCompany))
  const [first, ...backlogs] = companies as [BookCompany, ...BookCompany[]]
  await queue(first, 2)
  for (const company of backlogs) await queue(company, 300)
  const claim = createClaimer(CLAIM_SIZE)
  expect((await claimCounts(claim, companies)).toSorted((a, b) => a - b)).toEqual([2, 66, 66, 66])
  const [none, ...shares] = (await claimCounts(claim, companies)).toSorted((a, b) => a - b)
  expect([none, ...shares]).toEqual([0, 66, 67, 67])
})

it('a claim is full when enough is queued, however it is spread', async () => {
  const companies = await Promise.all(Array.from({ length: 3 }, addCompany))
  for (const [company, count] of [30, 60, 400].entries()) await queue(companies[company] as BookCompany, count)
  expect(await claimCounts(createClaimer(CLAIM_SIZE), companies)).toEqual([30, 60, 110])
})

it('concurrent claimers claim nothing twice and leave nothing behind', async () => {
  const companies = await Promise.all(Array.from({ length: 12 }, addCompany))
  for (const [index, company] of companies.entries()) await queue(company, 1 + index * 30)
  const total = companies.reduce((sum, _, index) => sum + 1 + index * 30, 0)
  const claimed: string[] = []
  const work = async (limit: number) => {
    const claim = createClaimer(limit)
    for (;;) {
      const rows = await claim()
      if (rows.length === 0) return
      claimed.push(...rows.map((row) => row.id))
    }
  }
  await Promise.all([1, 7, 50, 200, 200].map(work))
  // A claim that lost every race is empty too, so that the last claimer may have stopped early.
  await work(CLAIM_SIZE)
  expect(claimed).toHaveLength(total)
  expect(new Set(claimed).size).toBe(total)
})

it('claims that start at different companies do not deadlock', async () => {
  const companies = await Promise.all([addCompany(), addCompany()])
  for (const company of companies) await queue(company, 20)
  const [first = '', second = ''] = companies.map(({ scope }) => scope.companyId).toSorted()
  const blocker = new pg.Client(book.connection)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query(
    `select from operation where company_id = $1 and environment = 'sandbox' order by id desc limit 1 for update`,
    [first],
  )
  const now = book.clock.now()
  const terms = { environment: 'sandbox', now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: 40 } as const
  const claimAfter = (after: string) =>
    claimOperations(book.db, terms, { share: 20, after, companies: [], positions: [] })
  const forward = claimAfter(second)
  await waitForBlocked(1)
  const backward = claimAfter(first)
  await waitForBlocked(2)
  await blocker.query('rollback')
  await blocker.end()
  const rows = (await Promise.all([forward, backward])).flat()
  expect(new Set(rows.map((row) => row.id)).size).toBe(40)
})

async function waitForBlocked(count: number): Promise<void> {
  await expect.poll(async () => (await book.db.many(selectWaiting())).length).toBe(count)
}

it('an operation that is committed late is claimed next, although operations that were due later went before it', async () => {
  const company = await addCompany()
  await queue(company, 50)
  const claim = createClaimer(CLAIM_SIZE)
  expect(await claim()).toHaveLength(50)
  expect(await claim()).toHaveLength(0)
  const id = await book.accept(service(company))
  const earlier = new Date(book.clock.now().getTime() - 500)
  await book.run('update issuer_request set due_at = $2 where id = $1', [id, earlier])
  expect((await claim()).map((row) => row.id)).toEqual([id])
})
