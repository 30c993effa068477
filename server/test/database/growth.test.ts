// What a longer history costs: nothing for the statements that requests and jobs wait for, even if their plans were made while the
// tables were empty; and every table has a stated bound.
import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { listCases } from '../../../scripts/bench/growth/cases.ts'
import { addHistory, openHistory } from '../../../scripts/bench/growth/history.ts'
import { createPageCounter } from '../../../scripts/bench/growth/page-counter.ts'
import { createPool } from '../../src/db/pool.ts'
import { Book } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'

const ENTRIES = 100_000
const STATEMENT_TIMEOUT_MS = 120_000
/** The plans may differ a little, and vacuum removes what earlier cases left. Reading a whole table would be thousands of pages. */
const mayBe = (known: number) => known * 1.5 + 150

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const book = await Book.open()
// One connection, which keeps the plans that it made on empty tables.
const db = createPool(book.connection, { size: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
afterAll(async () => {
  await db.close()
  await book.close()
})

it.skipIf(onCitus('plans'))(
  'statements that were planned on tables known to be empty touch no more pages than others',
  async () => {
    await book.run('analyze')
    const { db: counted, count } = createPageCounter(db)
    for (const { run } of listCases(db, counted, await openHistory(db))) await run()
    const history = await openHistory(db)
    await addHistory(book.db, history, ENTRIES, () => undefined)

    const cases = listCases(db, counted, history)
    // The less of two counts: DDL elsewhere in the cluster can make PostgreSQL forget what the session knows of the catalogue. It reads
    // that again once, while it plans the statements of a function, and those pages are counted too. A bad plan is as bad the second time.
    const countTwice = async (run: () => Promise<unknown>) => Math.min(await count(run), await count(run))
    const before: number[] = []
    for (const { run } of cases) before.push(await countTwice(run))
    await book.run('vacuum analyze')
    const worse: string[] = []
    for (const [index, { name, run }] of cases.entries()) {
      const [pages, known] = [before[index] ?? Number.NaN, await countTwice(run)]
      if (!(pages <= mayBe(known))) worse.push(`${name}: ${pages} pages, with statistics ${known}`)
    }
    expect(worse).toEqual([])
    expect(cases.length).toBeGreaterThan(15)
  },
)

it.each([
  ['issuer_request', 'autovacuum_vacuum_threshold=1000'],
  ['delivery_queue', 'autovacuum_vacuum_threshold=1000'],
  ['account', 'autovacuum_vacuum_threshold=1000'],
  ['operation', 'autovacuum_vacuum_scale_factor=0.02'],
  ['event', 'autovacuum_vacuum_scale_factor=0.02'],
  ['delivery', 'autovacuum_vacuum_scale_factor=0.02'],
  ['webhook_attempt', 'autovacuum_vacuum_scale_factor=0.02'],
  ['request_log', 'autovacuum_vacuum_scale_factor=0.02'],
  ['exchange', 'autovacuum_vacuum_scale_factor=0.02'],
  ['entry', 'autovacuum_vacuum_insert_scale_factor=0.02'],
  ['entry', 'autovacuum_vacuum_scale_factor=0.02'],
])('autovacuum of %s has %s', async (table, option) => {
  const rows = await book.many<{ options: string[] }>(
    'select reloptions as options from pg_class where oid = $1::regclass',
    [table],
  )
  expect(rows[0]?.options).toContain(option)
})

it('the page about operating says of every table what bounds it, and of no other', () => {
  const tables = [...read('server/schema.sql').matchAll(/^create table (\w+)/gm)].map(([, name = '']) => name)
  // The tables of the issuer, which are another schema, follow behind them.
  const section = /\n## Growth\n([^]*?)\n(?:## |The issuer's own database )/.exec(read('docs/operating.md'))?.[1] ?? ''
  const named = [...section.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? [])
  expect(named.toSorted()).toEqual(tables.toSorted())
})
