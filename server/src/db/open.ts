// Opens everything a server needs of its database: the pool, a connection for audits, one for the intake's batches, and
// the monitor that gives all of them up when the database stops answering.
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import type { Log } from '../lib/log.ts'
import { type HealthMonitor, startHealthMonitor } from './health.ts'
import { createPipeline } from './pipeline.ts'
import { type Audits, type Connection, createPool, type Pool, type Connections, type Db } from './pool.ts'
import { AUDIT_TIMEOUT_MS } from './session-settings.ts'

export interface Database {
  readonly db: Pool
  /** For the audit, whose statements may take minutes. */
  readonly audits: Audits
  /** For the intake's batches. */
  readonly intakeDb: Db
  readonly health: HealthMonitor
  close(): Promise<void>
}

export interface DatabaseOptions {
  clock: Clock
  log: Log
  poolSize: number
  /**
   * Batches over all companies meet each other's locks, so they share one connection; those of one company each run side
   * by side in the pool.
   */
  intakeGrouping: Grouping
}

/** The audit reads as many accounts side by side. On one PostgreSQL it must leave the other cores to the requests. */
const CITUS_AUDITS = 8

/** The schema must be current: the monitor writes into a table of ours. */
export async function openDatabase(connection: Connection, options: DatabaseOptions): Promise<Database> {
  const { clock, log, poolSize, intakeGrouping } = options
  let monitor: HealthMonitor | undefined
  const isReachable = () => monitor?.isReachable() ?? true
  // The monitor logs an outage in one line, so the connections that it ends need no line each.
  const onError = (error: Error) => {
    log[isReachable() ? 'warn' : 'debug'](
      { reason: error.message },
      'A database connection broke; it will be replaced.',
    )
  }
  const db = createPool(connection, { size: poolSize, onError, isReachable })
  const atATime = intakeGrouping === 'citus' ? CITUS_AUDITS : 1
  const auditDb = createPool(connection, { size: atATime, statementTimeoutMs: AUDIT_TIMEOUT_MS, onError, isReachable })
  const pipeline = intakeGrouping === 'all' ? createPipeline(connection, { onError, isReachable }) : undefined
  const all: Connections[] = [db, auditDb, ...(pipeline === undefined ? [] : [pipeline])]
  const onLost = () => {
    for (const connections of all) connections.drop()
  }
  monitor = await startHealthMonitor({ connection, clock, log, onLost })
  const health = monitor
  return {
    db,
    audits: { db: auditDb, atATime },
    intakeDb: pipeline ?? db,
    health,
    async close() {
      await Promise.all(all.map((connections) => connections.close()))
      health.close()
    },
  }
}
