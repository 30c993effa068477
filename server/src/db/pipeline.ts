// A single connection on which statements follow each other without waiting for answers: while one is being answered here,
// the database works on the next. For statements that would only wait for each other's locks on connections of their own.
// Each is still a transaction of its own, and fails alone.
import pg from 'pg'
import { type Connection, type Db, toClientConfig, toQuery } from './pool.ts'
import type { Statement } from './sql.ts'

export interface Pipeline extends Db {
  /** What was sent before is answered first. */
  close(): Promise<void>
}

/** Opened with the first statement, and again with the next one after it broke. */
export function createPipeline(connection: Connection, onError: (error: Error) => void): Pipeline {
  let current: Promise<pg.Client> | undefined
  const open = () => {
    // The driver's types do not know the setting yet.
    const config: pg.ClientConfig & { pipeline: true } = { ...toClientConfig(connection), pipeline: true }
    const client = new pg.Client(config)
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
  const query = async (statement: Statement) => {
    current ??= open()
    const client = await current
    return client.query(toQuery(statement))
  }
  return {
    many: async (statement) => (await query(statement)).rows,
    find: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
    close: async () => {
      const client = await current?.catch(() => undefined)
      await client?.end()
    },
  }
}
