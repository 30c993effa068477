// A TCP proxy in front of the database that can be cut, and that records what is sent to the database.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection } from '../../src/db/pool.ts'

export class Bridge {
  readonly #target: Connection
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  /** Everything that was sent to the database. */
  sent = ''

  constructor(target: Connection) {
    this.#target = target
  }

  /** How the driver connects through the proxy. */
  get connection(): Connection {
    return { ...this.#target, host: '127.0.0.1', port: this.#port }
  }

  async open(): Promise<void> {
    const { host = '', port = 5432 } = this.#target
    const server = createServer((near) => {
      const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => {}).on('close', () => near.destroy() && far.destroy())
      }
      near.on('data', (chunk: Buffer) => {
        this.sent += chunk.toString('latin1')
      })
      near.pipe(far).pipe(near)
    })
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as { port: number }).port
    this.#server = server
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    await closed
  }
}
