// The one connection of a backup or a restore. Its statements may take hours, so they have no limit of time.
import pg from 'pg'
import { CONNECT_TIMEOUT_MS, type Connection, KEEP_ALIVE_DELAY_MS } from '../db/pool.ts'

export async function withClient<Result>(
  connection: Connection,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { isPooled: _isPooled, ...address } = connection
  const client = new pg.Client({
    ...address,
    application_name: 'cardstock backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  })
  // A lost connection fails the statement that runs; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
