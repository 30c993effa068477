// Streams a table out of the database and into it, with COPY. Each returns how many rows there were. Memory stays constant: a
// side that is slower makes the other one wait.
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** Yields the rows in COPY's text format. */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer, number> {
  const rows = client.query(to(statement))
  // PostgreSQL says how many rows there were after the stream has ended.
  const counted = new Promise<void>((resolve, reject) => {
    client.once('drain', () => resolve())
    rows.on('error', reject)
  })
  // The loop throws the same error.
  counted.catch(() => undefined)
  for await (const chunk of rows) yield chunk as Buffer
  await counted
  return rows.rowCount
}

/** Takes rows in COPY's text format, cut into pieces anywhere. */
export async function copyIn(client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<number> {
  const rows = client.query(from(statement))
  // The answer to a copy that was given up comes when nobody waits for it any more.
  rows.on('error', () => undefined)
  await pipeline(source, rows)
  return rows.rowCount
}
