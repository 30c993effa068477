// Opens what a benchmark needs, and closes all of it again, so that no process or folder is left behind, even after a
// failure or Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import { migrate } from '../../server/src/db/migrate.ts'
import { createPool } from '../../server/src/db/pool.ts'
import { PROGRAM } from '../../server/src/db/private-postgres.ts'
import type { Bench, Plan } from './bench.ts'
import { keepLoad } from './cores.ts'
import { type Child, startChild } from './processes.ts'

/** Enough for the servers under test, the naive pool and the direct clients together. */
const CONNECTIONS_MAX = '250'
const STATEMENT_TIMEOUT_MS = 600_000

const startedMs = performance.now()
const undo: (() => unknown)[] = []
let stopping: Promise<void> | undefined

export const elapsedSeconds = () => Math.round((performance.now() - startedMs) / 1000)

export function note(text: string): void {
  process.stderr.write(`${String(elapsedSeconds()).padStart(4)} s  ${text}\n`)
}

/** Registers a step for the end. The last step registered runs first. */
export function closeLater(step: () => unknown): void {
  undo.push(step)
}

async function unwind(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step()
}

function stop(code: number): void {
  stopping ??= unwind()
    .catch((error: unknown) => note(String(error)))
    .then(() => process.exit(code))
}

/** Starts a private durable database with the current schema, and the load generator. */
export async function openBench(plan: Plan): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bench '))
  closeLater(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { max_connections: CONNECTIONS_MAX }
  const database = await startPrivatePostgres({
    program: PROGRAM,
    folder: join(folder, 'postgres'),
    durable: true,
    log: () => {},
    settings,
  })
  closeLater(() => database.stop())
  await migrate(database.connection)
  const db = createPool(database.connection, { size: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: () => {} })
  closeLater(() => db.close())
  const children: Child[] = []
  closeLater(() => Promise.all(children.map((child) => child.stop())))
  const load = startChild('./load.ts', children)
  keepLoad(load.pid)
  return { plan, folder, connection: database.connection, superuser: database.superuser, db, children, load, note }
}

/** Runs `work` and exits with the code that it returns. */
export function runBench(work: () => Promise<number>): void {
  process.on('SIGINT', () => stop(130))
  process.on('SIGTERM', () => stop(143))
  work().then(
    (code) => stop(code),
    (error: unknown) => {
      if (stopping === undefined) note(error instanceof Error ? (error.stack ?? error.message) : String(error))
      stop(1)
    },
  )
}
