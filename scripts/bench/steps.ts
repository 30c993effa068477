// `npm run bench -- --steps`: what each step of an operation costs the database: CPU time of the session that runs it, WAL, and what stays
// stored, for batches of several sizes. One session runs the steps one after the other, so nothing waits, and the figures hardly depend
// on what else the machine does.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cardIdOf } from '../../server/src/cards/card-id.ts'
import { createPool, type Db } from '../../server/src/db/pool.ts'
import { sql } from '../../server/src/db/sql.ts'
import { AT_ONCE } from '../../server/src/issuer/sandbox.ts'
import { insertEffects } from '../../server/src/issuer/queries.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import { acceptOperations, settleOperations } from '../../server/src/ledger/queries.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { cents } from '../../server/src/lib/money.ts'
import { claimOperations, completeOperations } from '../../server/src/operations/queries.ts'
import { createTurns, summarise } from '../../server/src/operations/turns.ts'
import { COMPANIES, FULL, QUICK } from './bench.ts'
import { closeLater, elapsedSeconds, note, openBench, runBench } from './open.ts'
import { median } from './rounds.ts'
import { AMOUNT_CENTS, type Company, FEE_CENTS, seedCompanies } from './seed.ts'

/** Operations of one batch. */
const SIZES = [10, 30, 200]
/** Batches of each size. */
const BATCHES = { quick: 60, full: 300 }
/** Enough rows for the plans that a used database has. */
const FIRST_BATCHES = 20
const FIRST_SIZE = 200
const LEASE_MS = 60_000
const STATEMENT_TIMEOUT_MS = 600_000
const NS_PER_MS = 1e6

/**
 * The sandbox completes an operation in the statement that claims it. What is sent by itself is claimed, carried out and settled, as for a
 * live issuer; here by the book of the sandbox.
 */
const STEPS = ['accept', 'complete', 'claim', 'sandbox issuer', 'settle'] as const
const WAYS: Readonly<Record<string, readonly Step[]>> = {
  'all, completed at once': ['accept', 'complete'],
  'all, sent by itself': ['accept', 'claim', 'sandbox issuer', 'settle'],
}
type Step = (typeof STEPS)[number]

interface Sample {
  readonly cpuMs: number
  readonly walBytes: number
}

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const db = createPool(bench.connection, { size: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
  closeLater(() => db.close())
  const session = await openSession(db)
  const cycle = createCycle(db, companies)
  for (let batch = 0; batch < FIRST_BATCHES; batch += 1) await cycle(FIRST_SIZE, (_step, run) => run())
  const rows: string[] = []
  for (const size of SIZES) {
    const samples = new Map<Step, Sample[]>(STEPS.map((step) => [step, []]))
    const storedBefore = await readStored(db)
    const count = BATCHES[isQuick ? 'quick' : 'full']
    for (let batch = 0; batch < count; batch += 1) {
      await cycle(size, async (step, run) => {
        const { result, ...sample } = await session.measure(run)
        samples.get(step)?.push(sample)
        return result
      })
    }
    const stored = ((await readStored(db)) - storedBefore) / count / size / BATCHES_PER_CYCLE
    rows.push(...toRows(size, samples, stored))
    note(`batches of ${size} are measured`)
  }
  const { differences } = await auditLedger(db)
  process.stdout.write(`\n${HEAD}\n${rows.join('\n')}\n\n`)
  process.stdout.write(`Took ${elapsedSeconds()} s. Ledger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

const HEAD = '| batch of | step | CPU, µs | WAL, bytes | stored, bytes |\n| --- | --- | --- | --- | --- |'

/** Per operation: the median of the batches for the CPU, and the mean for what is written. */
function toRows(size: number, samples: ReadonlyMap<Step, readonly Sample[]>, stored: number): string[] {
  const figures = new Map(
    [...samples].map(([step, own]) => {
      const cpuUs = (median(own.map(({ cpuMs }) => cpuMs)) / size) * 1000
      const walBytes = own.reduce((sum, sample) => sum + sample.walBytes, 0) / own.length / size
      return [step, { cpuUs, walBytes }] as const
    }),
  )
  const toRow = (name: string, steps: readonly Step[], last: string) => {
    const sum = (key: 'cpuUs' | 'walBytes') => steps.reduce((total, step) => total + (figures.get(step)?.[key] ?? 0), 0)
    return `| ${size} | ${name} | ${sum('cpuUs').toFixed(0)} | ${sum('walBytes').toFixed(0)} | ${last} |`
  }
  return [
    ...STEPS.map((step) => toRow(step, [step], '')),
    ...Object.entries(WAYS).map(([name, steps]) => toRow(name, steps, stored.toFixed(0))),
  ]
}

type Measure = <Result>(step: Step, run: () => Promise<Result>) => Promise<Result>

/** One that is completed at once, and one that is sent by itself. */
const BATCHES_PER_CYCLE = 2

/** Returns a function that takes two batches of issues of as many companies from acceptance to completion, each in one of the ways. */
function createCycle(db: Db, companies: readonly Company[]) {
  const turns = createTurns()
  let next = 0
  const newItem = (now: Date) => {
    const { id: companyId, holderId } = companies[next++ % companies.length] as Company
    const scope = { companyId, environment: 'sandbox' as const }
    const order = { type: 'issue' as const, productId: 'prod_card_virtual', holderId, cardId: null, name: null }
    const price = { amount: cents(AMOUNT_CENTS), fee: cents(FEE_CENTS), recipient: null, issuanceQuota: null }
    const request = { idempotencyKey: randomUUID(), digest: 'ab'.repeat(32), createdBy: 'key' }
    return { id: newId(now), candidate: { scope, ...order, ...price, ...request } }
  }
  const accept = async (size: number, measure: Measure, now: Date) => {
    const items = Array.from({ length: size }, () => newItem(now))
    await measure('accept', () => acceptOperations(db, now, items))
  }
  return async (size: number, measure: Measure): Promise<void> => {
    const now = new Date()
    await accept(size, measure, now)
    const completed = await measure('complete', () =>
      completeOperations(db, { environment: 'sandbox', now, limit: size }, turns.next(size), AT_ONCE),
    )
    if (completed.reduce((sum, { due }) => sum + due, 0) !== size) throw new Error('A batch was not completed.')
    await accept(size, measure, now)
    const turn = turns.next(size)
    const due = { environment: 'sandbox' as const, now, leaseUntil: new Date(now.getTime() + LEASE_MS), limit: size }
    const claimed = await measure('claim', () => claimOperations(db, due, turn))
    turns.record(turn, summarise(claimed), now)
    const outcomes = claimed.map((row) => ({ row, receipt: `rcpt_${row.id.replaceAll('-', '')}`, last4: '4242' }))
    const effects = outcomes.map(({ row: { company_id, id: token, amount }, receipt, last4 }) => {
      return { company_id, token, kind: 'issue' as const, amount, receipt, last4, created_at: now }
    })
    await measure('sandbox issuer', () => insertEffects(db, effects))
    const settlements = outcomes.map(({ row: { company_id: companyId, id }, receipt, last4 }) => {
      const scope = { companyId, environment: 'sandbox' as const }
      return { scope, id, status: 'completed' as const, receipt, card: { id: cardIdOf(id), last4 } }
    })
    await measure('settle', () => settleOperations(db, now, settlements))
  }
}

/** The only session of the pool: how long it has been on a core, and how far the WAL is. */
async function openSession(db: Db) {
  const session = await db.find<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const readCpuMs = () => Number(readFileSync(`/proc/${session?.pid}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS
  const readWal = async () => {
    const row = await db.find<{ at: string }>(sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as at`)
    return Number(row?.at)
  }
  return {
    async measure<Result>(run: () => Promise<Result>) {
      const walBefore = await readWal()
      const cpuBefore = readCpuMs()
      const result = await run()
      const cpuMs = readCpuMs() - cpuBefore
      return { result, cpuMs, walBytes: (await readWal()) - walBefore }
    },
  }
}

async function readStored(db: Db): Promise<number> {
  const row = await db.find<{ bytes: string }>(sql`select pg_database_size(current_database()) as bytes`)
  return Number(row?.bytes)
}
