// Keeps track of open connections, so that all of them can be broken at once. The driver has no such call: ending a
// client politely waits for an answer, which a dead connection never gives.
import type { Duplex } from 'node:stream'
import pg from 'pg'

export interface ClientSet {
  /** Clients of this class belong to the set from the moment they begin to connect. */
  readonly Client: new (config?: pg.ClientConfig) => pg.Client
  /** Breaks every connection of the set, including those that are being opened. */
  drop(): void
  /** Runs `close` and waits until the database has let go of every connection. Breaks those that are left after this time. */
  closeWithin(graceMs: number, close: () => Promise<unknown>): Promise<void>
}

export function createClientSet(): ClientSet {
  const clients = new Set<pg.Client>()
  const waiting = new Set<() => void>()
  const drop = () => {
    for (const client of clients) streamOf(client).destroy()
  }
  return {
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super(config)
        clients.add(this)
        this.once('end', () => {
          clients.delete(this)
          if (clients.size === 0) for (const resolve of waiting) resolve()
        })
      }
    },
    drop,
    async closeWithin(graceMs, close) {
      let timer: NodeJS.Timeout | undefined
      const isOver = new Promise<void>((resolve) => {
        waiting.add(resolve)
        timer = setTimeout(() => {
          drop()
          resolve()
        }, graceMs)
      })
      try {
        await close()
        // The driver's pool says goodbye and does not wait. A database that is stopped next would answer with an error.
        if (clients.size > 0) await isOver
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** The driver's types do not show the socket. */
function streamOf(client: pg.Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream
}
