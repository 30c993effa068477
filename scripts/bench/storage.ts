// `npm run bench -- --storage`: what stays stored of a completed operation, table by table, and how much WAL accepting it writes, for an issue
// and for a service. Bytes hardly depend on the machine.
import { randomUUID } from 'node:crypto'
import type { Db } from '../../server/src/db/pool.ts'
import { sql } from '../../server/src/db/sql.ts'
import { AT_ONCE } from '../../server/src/issuer/sandbox.ts'
import { auditLedger } from '../../server/src/ledger/audit.ts'
import type { AcceptItem, Candidate } from '../../server/src/ledger/items.ts'
import { acceptOperations } from '../../server/src/ledger/queries.ts'
import { newId } from '../../server/src/lib/ids.ts'
import { cents } from '../../server/src/lib/money.ts'
import { completeOperations } from '../../server/src/operations/queries.ts'
import { createTurns, type Turns } from '../../server/src/operations/turns.ts'
import { COMPANIES, FULL, QUICK } from './bench.ts'
import { elapsedSeconds, note, openBench, runBench } from './open.ts'
import { AMOUNT_CENTS, type Company, FEE_CENTS, seedCompanies } from './seed.ts'

/** Of a server that accepts 2,000 operations per second and completes them every 20 ms. */
const BATCH_SIZE = 40
const BATCHES = { quick: 500, full: 5_000 }
/** Tables of which an operation keeps less than this are left out: they have a few rows, or rows that are deleted again. */
const BYTES_SHOWN_MIN = 10

const KINDS: Record<Kind, (company: Company) => Pick<Candidate, 'type' | 'productId' | 'holderId' | 'recipient'>> = {
  issue: ({ holderId }) => ({ type: 'issue', productId: 'prod_card_virtual', holderId, recipient: null }),
  service: () => ({ type: 'service', productId: 'prod_service', holderId: null, recipient: 'someone@example.com' }),
}
type Kind = 'issue' | 'service'

interface Size {
  readonly rows: number
  readonly indexes: number
}

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const companies = await seedCompanies(bench.db, COMPANIES, { funded: true })
  const count = BATCHES[isQuick ? 'quick' : 'full'] * BATCH_SIZE
  const turns = createTurns()
  for (const kind of ['issue', 'service'] as const) {
    const before = await readSizes(bench.db)
    let acceptWal = 0
    for (let done = 0; done < count; done += BATCH_SIZE) {
      const of = companies.slice(done % COMPANIES, (done % COMPANIES) + BATCH_SIZE)
      acceptWal += await runBatch(bench.db, of.map(orderOf(kind)), turns)
    }
    process.stdout.write(`\n${toTable(kind, before, await readSizes(bench.db), count)}\n`)
    process.stdout.write(`WAL of accepting: ${Math.round(acceptWal / count)} bytes per operation.\n`)
    note(`${count} operations of kind ${kind} are measured`)
  }
  const { differences } = await auditLedger(bench.db)
  process.stdout.write(`\nTook ${elapsedSeconds()} s. Ledger audit: ${differences.length} differences.\n`)
  return differences.length === 0 ? 0 : 1
})

const orderOf =
  (kind: Kind) =>
  (company: Company): AcceptItem => {
    const scope = { companyId: company.id, environment: 'sandbox' as const }
    const price = { amount: cents(AMOUNT_CENTS), fee: cents(FEE_CENTS), issuanceQuota: null }
    const request = {
      idempotencyKey: randomUUID(),
      digest: 'ab'.repeat(32),
      createdBy: `key ${randomUUID()} Production`,
    }
    return {
      id: newId(new Date()),
      candidate: { scope, ...KINDS[kind](company), cardId: null, name: null, ...price, ...request },
    }
  }

/** Takes a batch from acceptance to completion. Returns how many bytes of WAL accepting it wrote. */
async function runBatch(db: Db, items: readonly AcceptItem[], turns: Turns): Promise<number> {
  const now = new Date()
  const before = await readWal(db)
  await acceptOperations(db, now, items)
  const after = await readWal(db)
  const due = { environment: 'sandbox' as const, now, limit: BATCH_SIZE }
  const completed = await completeOperations(db, due, turns.next(BATCH_SIZE), AT_ONCE)
  if (completed.reduce((sum, { due: own }) => sum + own, 0) !== items.length)
    throw new Error('A batch was not completed.')
  return after - before
}

async function readWal(db: Db): Promise<number> {
  const row = await db.find<{ at: string }>(sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as at`)
  return Number(row?.at)
}

async function readSizes(db: Db): Promise<ReadonlyMap<string, Size>> {
  const rows = await db.many<{ name: string; rows: bigint; indexes: bigint }>(sql`
    select c.relname as name, pg_table_size(c.oid) as rows, pg_indexes_size(c.oid) as indexes
    from pg_class c where c.relkind = 'r' and c.relnamespace = quote_ident(current_schema())::regnamespace order by c.relname`)
  return new Map(rows.map((row) => [row.name, { rows: Number(row.rows), indexes: Number(row.indexes) }]))
}

function toTable(
  kind: string,
  before: ReadonlyMap<string, Size>,
  after: ReadonlyMap<string, Size>,
  count: number,
): string {
  const lines = [...after].map(([name, size]) => {
    const rows = (size.rows - (before.get(name)?.rows ?? 0)) / count
    const indexes = (size.indexes - (before.get(name)?.indexes ?? 0)) / count
    return { name, rows, indexes, sum: rows + indexes }
  })
  const total = lines.reduce((sum, line) => sum + line.sum, 0)
  const shown = lines.filter(({ sum }) => sum >= BYTES_SHOWN_MIN).toSorted((a, b) => b.sum - a.sum)
  return [
    `| ${kind} | rows, bytes | indexes, bytes | together |`,
    '| --- | --- | --- | --- |',
    ...shown.map(
      ({ name, rows, indexes, sum }) => `| \`${name}\` | ${[rows, indexes, sum].map(Math.round).join(' | ')} |`,
    ),
    `| all tables | | | ${Math.round(total)} |`,
  ].join('\n')
}
