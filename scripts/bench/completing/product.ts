// The product as `npm start` runs it, on a database of its own: starts it, waits until it has completed everything, and lets its worker
// rest where accepting is measured alone.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, Pool } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { type Bench, COMPANIES } from '../bench.ts'
import { cpuMs, databaseCpuMs, findPostmaster } from '../cpu.ts'
import { closeLater } from '../open.ts'
import { type Child, childrenOf, productSettings, startProduct } from '../processes.ts'
import { type Company, issueRequest, seedCompanies } from '../seed.ts'

export const CREATED = 201
/** How long what was accepted may take to complete, on a machine that cannot keep up. */
const DRAIN_MS_MAX = 300_000
const START_MS_MAX = 60_000
const POLL_MS = 100
const REST_POLL_MS = 5

/** A database with a thousand companies, and what they send. */
export interface Site {
  readonly name: string
  readonly connection: Connection
  readonly db: Pool
  readonly companies: readonly Company[]
  readonly requests: readonly string[]
}

export interface Product {
  readonly child: Child
  readonly port: number
  readonly site: Site
  /** The supervisor, the process that answers, and the worker; or one process that only answers. */
  readonly pids: readonly number[]
}

export async function makeSite(name: string, connection: Connection, db: Pool): Promise<Site> {
  const companies = await seedCompanies(db, COMPANIES, { funded: true })
  return { name, connection, db, companies, requests: companies.map(issueRequest) }
}

export async function startOn(
  bench: Bench,
  site: Site,
  { args = [], environ = {} }: { args?: readonly string[]; environ?: Record<string, string> } = {},
): Promise<Product> {
  const { name, connection } = site
  const folder = join(bench.folder, [name, ...args].join(''))
  const settings = { ...productSettings({ connection, folder }), ...environ }
  const { child, port } = await startProduct(settings, bench.children, args)
  // With a role, one process does everything.
  const count = args.includes('--role') ? 0 : 2
  await until('The processes of the product do not start.', START_MS_MAX, () => childrenOf(child.pid).length === count)
  return { child, port, site, pids: [child.pid, ...childrenOf(child.pid)] }
}

/** Makes one endpoint that gets every event of one of the companies. */
export async function subscribe({ port, site: { companies } }: Product): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end())
  })
  closeLater(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${companies[0]?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
  })
  if (answer.status !== CREATED) throw new Error(`The endpoint was refused: ${await answer.text()}`)
}

/** Waits until the worker has completed everything in the sandbox and delivered it. */
export function workOff({ db }: Pick<Site, 'db'>): Promise<void> {
  const isDone = async () => (await countOpen(db)) === 0
  return until('What was accepted does not complete.', DRAIN_MS_MAX, isDone)
}

export async function countOpen(db: Pool): Promise<number> {
  const row = await db.find<{ count: bigint }>(sql`
    select (select count(*) from issuer_request where environment = 'sandbox')
      + (select count(*) from delivery where status = 'pending') as count`)
  return Number(row?.count)
}

/** Returns what `work` returns, which runs while the worker process stands still, between two transactions of it. */
export async function whileResting<Value>({ pids, site }: Product, work: () => Promise<Value>): Promise<Value> {
  const worker = pids[2]
  if (worker === undefined) throw new Error('This product has no worker.')
  process.kill(worker, 'SIGSTOP')
  try {
    while (await isInTransaction(site)) {
      process.kill(worker, 'SIGCONT')
      await delay(REST_POLL_MS)
      process.kill(worker, 'SIGSTOP')
    }
    return await work()
  } finally {
    process.kill(worker, 'SIGCONT')
  }
}

/** Whatever a process at rest had locked would stay locked. */
async function isInTransaction({ db }: Site): Promise<boolean> {
  const found = await db.find(sql`
    select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`)
  return found !== undefined
}

/** The CPU time of each process of the product, and of PostgreSQL, in ms. */
export async function readCpu({ pids, site }: Product): Promise<{ own: number[]; database: number }> {
  return { own: pids.map(cpuMs), database: databaseCpuMs(await findPostmaster(site.db)) }
}

async function until(failure: string, limitMs: number, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + limitMs
  while (!(await isDone())) {
    if (performance.now() > endMs) throw new Error(failure)
    await delay(POLL_MS)
  }
}
