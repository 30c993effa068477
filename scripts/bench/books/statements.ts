// Measures a full statement over HTTP against reading its rows with the plain driver, and a long history against a short one.
import pg from 'pg'
import { download } from '../download.ts'
import { type Bench, startServer } from '../bench.ts'
import { closeLater } from '../open.ts'
import type { Rounds } from '../rounds.ts'
import { type Company, seedCompanies } from '../seed.ts'
import { ENTRIES_PER_DAY, FIRST_DAY, seedEntries, vacuum } from './seed.ts'

const DAY_MS = 86_400_000
export const LONG_HISTORY = 1_000_000
const WARM_UPS = 5

const dayOf = (index: number) => new Date(FIRST_DAY.getTime() + index * DAY_MS).toISOString().slice(0, 10)

export async function measureStatements(bench: Bench, rounds: Rounds): Promise<void> {
  const [short, long] = (await seedCompanies(bench.db, 2, { funded: false, createdAt: FIRST_DAY })) as [
    Company,
    Company,
  ]
  await seedEntries(bench.db, short, ENTRIES_PER_DAY)
  await seedEntries(bench.db, long, LONG_HISTORY)
  await vacuum(bench.db, 'entry')
  await vacuum(bench.db, 'deposit')
  bench.note(`${LONG_HISTORY.toLocaleString('en')} entries written`)
  const { port, child } = await startServer(bench, 'engine')
  const lastDay = LONG_HISTORY / ENTRIES_PER_DAY - 1
  const statement = (company: Company, day: number, format = 'json') =>
    download(port, company.key, `/api/v1/account-statements?from=${dayOf(day)}&to=${dayOf(day)}&format=${format}`)
  const bare = await openBare(bench, long, lastDay)
  const work = {
    'bare driver, ms': bare,
    'statement, ms': () => statement(long, lastDay),
    'short history, ms': () => statement(short, 0),
    'CSV, ms': () => statement(long, lastDay, 'csv'),
  }
  const variants = Object.entries(work).map(([name, each]) => ({ name, measure: () => timeOf(each) }))
  for (let time = 0; time < WARM_UPS; time += 1) for (const { measure } of variants) await measure()
  await rounds.run(variants, bench.plan.rounds, () => undefined)
  bench.note('statements measured')
  await child.stop()
}

/** Reads every column that a statement shows with the driver's defaults: one query, one object per row. */
async function openBare({ connection }: Bench, company: Company, day: number): Promise<() => Promise<number>> {
  const client = new pg.Client({ ...connection, options: '-c jit=off -c timezone=UTC' })
  await client.connect()
  closeLater(() => client.end())
  return async () => {
    const { rows } = await client.query({
      name: 'bare',
      text: `select number, kind, reference, available_delta, held_delta, balance, created_at,
               case when kind = 'deposit' then (select true from deposit d where d.company_id = $1 and d.environment = 'sandbox' and d.id = e.reference) end as is_funding
             from entry e where company_id = $1 and environment = 'sandbox' and number between $2 and $3 order by number`,
      values: [company.id, day * ENTRIES_PER_DAY + 1, (day + 1) * ENTRIES_PER_DAY],
    })
    if (rows.length !== ENTRIES_PER_DAY) throw new Error(`${rows.length} rows`)
    return rows.length
  }
}

async function timeOf(work: () => Promise<number>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
