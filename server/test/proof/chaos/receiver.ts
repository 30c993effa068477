// A receiver of webhooks that keeps only what the judge needs: which event arrived, and that it was accepted.
import { createServer, type Server } from 'node:http'
import { findId } from '../../../src/lib/ids.ts'

export class ChaosReceiver {
  readonly #server: Server = createServer((request, response) => {
    request.resume().on('end', () => {
      this.eventIds.push(findId('evt', String(request.headers['webhook-id'])) ?? '')
      response.writeHead(200).end()
    })
  })
  /** In the order of their arrival; an event may arrive more than once. */
  readonly eventIds: string[] = []

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
