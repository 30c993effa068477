// Starts a server whose live issuer is the adapter with the example provider, over HTTP: its bank is in memory.
import { type Adapter, startAdapter } from '../../src/adapter/kernel/start.ts'
import type { CardProvider } from '../../src/adapter/provider.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import type { ChainState } from '../../src/issuer/http/state-schema.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import { Bank } from '../adapter/kernel/bank.ts'
import { createExampleProvider } from '../adapter/kernel/example-provider.ts'
import { findFreePort } from './free-port.ts'
import { createDatabase, type TestAnswer, type TestCompany, TestServer } from './harness.ts'
import { SECRET } from './live.ts'
import { createLiveCompany } from './live-company.ts'

export interface AdapterWorldOptions {
  readonly deposits?: ChainState
  readonly createProvider?: (clock: Clock) => Promise<CardProvider>
  /** Of the server and of the adapter; silent by default. */
  readonly log?: Log
}

export class AdapterWorld {
  readonly bank: Bank
  readonly server: TestServer
  readonly #stop: () => Promise<void>
  readonly adapter: Adapter
  #isStopped = false

  private constructor(bank: Bank, server: TestServer, adapter: Adapter, stop: () => Promise<void>) {
    this.bank = bank
    this.server = server
    this.adapter = adapter
    this.#stop = stop
  }

  /** `deposits` is what the adapter says about a chain; without it, it watches none. The provider is the example one, unless it is made here. */
  static async start(options: AdapterWorldOptions = {}): Promise<AdapterWorld> {
    const { deposits, createProvider, log = createLog({ level: 'silent' }) } = options
    const port = await findFreePort()
    const settings = { ISSUER_URL: `http://127.0.0.1:${port}`, ISSUER_SECRET: SECRET, ISSUER_TIMEOUT_MS: '60000' }
    const server = await TestServer.start(settings, { lookUpDelaysMs: [0, 0], log })
    const { connection, drop } = await createDatabase()
    const db: Pool = createPool(connection, { size: 3, onError: () => {} })
    const bank = new Bank()
    const adapter = await startAdapter({
      db,
      connection,
      clock: server.clock,
      log,
      secret: SECRET,
      host: '127.0.0.1',
      port,
      controlPort: 0,
      identity: 'example test',
      provider: (await createProvider?.(server.clock)) ?? createExampleProvider(bank),
      makeInvoice: undefined,
      invoiceMinimum: '1.00',
      moreControls: [],
      depositsState: deposits && (async () => deposits),
      findEventsUrl: () => server.baseUrl,
    })
    return new AdapterWorld(bank, server, adapter, async () => {
      await db.close()
      await drop()
      await server.stop()
    })
  }

  async stop(): Promise<void> {
    await this.stopAdapter()
    await this.#stop()
  }

  async stopAdapter(): Promise<void> {
    if (!this.#isStopped) await this.adapter.stop()
    this.#isStopped = true
  }

  createCompany(): Promise<TestCompany> {
    return createLiveCompany(this.server)
  }

  async control<Body>(method: string, path: string, body?: unknown): Promise<TestAnswer<Body>> {
    const answer = await fetch(`${this.adapter.controlUrl}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Body }
  }
}
