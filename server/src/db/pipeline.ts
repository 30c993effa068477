// A single connection on which statements follow each other without waiting for answers: while this process reads one
// answer, the database works on the next statement. For statements that would only wait for each other's locks on
// connections of their own. Each is still a transaction of its own, and fails alone.
import pg from 'pg'
import { createClientSet } from './client-set.ts'
import { type Connection, type Connections, type Db, toClientConfig, toQuery } from './pool.ts'
import { STATEMENT_TIMEOUT_MS as SESSION_TIMEOUT_MS } from './session-settings.ts'
import type { Statement } from './sql.ts'
import { DatabaseUnreachableError } from './unavailable.ts'

export interface Pipeline extends Db, Connections {}

export interface PipelineOptions {
  onError: (error: Error) => void
  /** While this returns false, statements fail immediately instead of waiting for a database that does not answer. */
  isReachable?: () => boolean
  statementTimeoutMs?: number
}

/** A batch takes tens of milliseconds; one that waits this long for a lock is better cancelled and sent again. */
const STATEMENT_TIMEOUT_MS = 3_000
/** A statement may have to wait for the one before it, and each may take its full time. */
const DEADLINE_STATEMENTS = 2
const DEADLINE_MARGIN_MS = 1_000
/** How long statements in flight have to end when the pipeline is closed. */
const CLOSE_GRACE_MS = 2_000

/** Connects with the first statement, and again with the next one after the connection broke. */
export function createPipeline(connection: Connection, options: PipelineOptions): Pipeline {
  const { onError, isReachable = () => true } = options
  const { statementTimeoutMs = connection.isPooled === true ? SESSION_TIMEOUT_MS : STATEMENT_TIMEOUT_MS } = options
  const deadlineMs = DEADLINE_STATEMENTS * statementTimeoutMs + DEADLINE_MARGIN_MS
  const clients = createClientSet()
  let current: Promise<pg.Client> | undefined
  const open = () => {
    // The driver's types do not know the setting yet.
    const config: pg.ClientConfig & { pipeline: true } = {
      ...toClientConfig(connection, { statementTimeoutMs, deadlineMs }),
      pipeline: true,
    }
    const client = new clients.Client(config)
    const opened = client.connect().then(() => client)
    const forget = () => {
      if (current === opened) current = undefined
    }
    client.on('error', (error) => {
      forget()
      onError(error)
    })
    client.on('end', forget)
    opened.catch(() => {
      forget()
      void client.end()
    })
    return opened
  }
  // When a statement misses its deadline, the driver destroys the connection: what was sent behind it fails with it.
  const query = async (statement: Statement) => {
    if (!isReachable()) throw new DatabaseUnreachableError()
    const opened = (current ??= open())
    try {
      return await (await opened).query(toQuery(statement, connection))
    } catch (error) {
      // Unless the database itself refused, the connection is broken or about to be: the next statement needs another.
      if (current === opened && !(error instanceof pg.DatabaseError)) current = undefined
      throw error
    }
  }
  return {
    many: async (statement) => (await query(statement)).rows,
    find: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
    drop: () => clients.drop(),
    close: () =>
      clients.closeWithin(isReachable() ? CLOSE_GRACE_MS : 0, async () => {
        const client = await current?.catch(() => undefined)
        await client?.end()
      }),
  }
}
