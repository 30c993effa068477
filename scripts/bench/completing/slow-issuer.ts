// An issuer that takes two seconds for each call, and companies that order in the live environment, more than it can carry out.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { findFreePort } from '../../../server/src/cli/process/group/free-port.ts'
import { toDatabaseUrl } from '../../../server/test/support/database-url.ts'
import type { Bench } from '../bench.ts'
import { createEmpty } from '../database.ts'
import { type Child, startChild, startCommand } from '../processes.ts'
import { type Company, issueRequest, seedCompanies } from '../seed.ts'
import type { LoadResult } from '../wire.ts'
import { CREATED } from './product.ts'

const CALL_MS = 2000
const COMPANIES = 10
const CONNECTIONS = 8
/** A server has at most 50 calls in flight by default, so half of these orders wait. */
const ORDERS_PER_SECOND = 50
const SECRET = 'a-secret-of-the-benchmark-and-its-issuer'
/** The first calls are not answered yet. */
const FIRST_CALLS_MS = 3000

export interface SlowIssuer {
  readonly child: Child
  /** With these settings the product uses it. */
  readonly environ: Record<string, string>
}

export async function startSlowIssuer(bench: Bench): Promise<SlowIssuer> {
  const connection = await createEmpty(bench, 'bench_issuer')
  const [port, controlPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
  const environ = {
    DATA_DIR: join(bench.folder, 'issuer'),
    ISSUER_DATABASE_URL: toDatabaseUrl(connection),
    ISSUER_SECRET: SECRET,
    ISSUER_PORT: String(port),
    ISSUER_CONTROL_PORT: String(controlPort),
    LOG_LEVEL: 'error',
  }
  const { child } = await startCommand(['issuer'], {
    environ,
    children: bench.children,
    until: /is told what to do on/,
  })
  const answer = await fetch(`http://127.0.0.1:${controlPort}/control/behaviour`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'all', mode: 'delay', delayMs: CALL_MS }),
  })
  if (!answer.ok) throw new Error(`The issuer cannot be slowed down: ${await answer.text()}`)
  return { child, environ: { ISSUER_URL: `http://127.0.0.1:${port}`, ISSUER_SECRET: SECRET } }
}

/** Returns companies that may order in live. */
export const seedLive = (db: Pool) => seedCompanies(db, COMPANIES, { funded: true, environment: 'live' })

/** Runs `work` while companies order in live, from a load generator of their own. Returns how many orders were placed and completed meanwhile. */
export async function whileOrderingLive(
  bench: Bench,
  { db, port, companies, seconds }: { db: Pool; port: number; companies: readonly Company[]; seconds: number },
  work: () => Promise<void>,
): Promise<{ ordered: number; completed: number }> {
  const load = startChild('./load.ts', bench.children)
  const job = {
    port,
    connections: CONNECTIONS,
    requests: companies.map(issueRequest),
    rate: ORDERS_PER_SECOND,
    seconds: seconds + FIRST_CALLS_MS / 1000,
  }
  const orders = load.ask<LoadResult>(job)
  await delay(FIRST_CALLS_MS)
  const before = await countCompleted(db)
  await work()
  const completed = (await countCompleted(db)) - before
  const { statuses } = await orders
  const ordered = statuses[CREATED] ?? 0
  if (Object.keys(statuses).length !== 1 || ordered === 0) {
    throw new Error(`Unexpected answers to live orders: ${JSON.stringify(statuses)}`)
  }
  await load.stop()
  return { ordered, completed }
}

async function countCompleted(db: Pool): Promise<number> {
  const row = await db.find<{ count: bigint }>(
    sql`select count(*) as count from operation where environment = 'live' and status = 'completed'`,
  )
  return Number(row?.count)
}
