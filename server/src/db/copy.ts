// Streams a table out of the database and into it, with COPY. Each returns how many rows there were. Memory stays constant: a
// side that is slower makes the other one wait.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import pg from 'pg'

/** The driver's own connection, of which its type definitions say nothing. */
interface Wire {
  readonly stream: Socket
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

type Callback = (error: Error | null | undefined, result: pg.QueryResult) => void
/** The driver calls the handlers of the statement that runs. */
const QueryBase = pg.Query as unknown as new (
  text: string,
  values: undefined,
  callback: Callback,
) => pg.Submittable & {
  handleCopyData(message: { chunk: Buffer }, wire: Wire): void
  handleCopyInResponse(wire: Wire): void
}

class CopyOut extends QueryBase {
  readonly rows = new PassThrough()

  override handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Wire): void {
    // A copy: the driver's chunk is a part of its buffer, into which it may read what comes next.
    if (this.rows.write(Buffer.from(chunk)) || stream.isPaused()) return
    stream.pause()
    this.rows.once('drain', () => stream.resume())
  }
}

/** Yields the rows in COPY's text format. */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer, number> {
  let count = 0
  const query = new CopyOut(statement, undefined, (error, result) => {
    count = result?.rowCount ?? 0
    if (error) query.rows.destroy(error)
    else query.rows.end()
  })
  client.query(query)
  for await (const chunk of query.rows) yield chunk as Buffer
  return count
}

class CopyIn extends QueryBase {
  source: AsyncIterable<Buffer> | undefined
  failure: unknown

  override handleCopyInResponse(wire: Wire): void {
    void this.#send(wire)
  }

  async #send(wire: Wire): Promise<void> {
    try {
      for await (const chunk of this.source ?? []) {
        wire.sendCopyFromChunk(chunk)
        if (wire.stream.writableNeedDrain) await once(wire.stream, 'drain')
      }
      wire.endCopyFrom()
    } catch (error) {
      this.failure = error
      wire.sendCopyFail('the source failed')
    }
  }
}

/** Takes rows in COPY's text format, cut into pieces anywhere. */
export function copyIn(client: pg.Client, statement: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    const query = new CopyIn(statement, undefined, (error, result) => {
      if (error) reject(query.failure ?? error)
      else resolve(result.rowCount ?? 0)
    })
    query.source = source
    client.query(query)
  })
}
