// Starts a server whose live issuer is the adapter with the example provider, over HTTP: its bank is in memory.
import { programActor } from '../../src/access/audit.ts'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { type Adapter, startAdapter } from '../../src/adapter/kernel/start.ts'
import type { CardProvider } from '../../src/adapter/provider.ts'
import { changeCapabilities } from '../../src/companies/companies.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import type { ChainState } from '../../src/issuer/http/state-schema.ts'
import { deposit } from '../../src/ledger/deposit.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { cents, ZERO } from '../../src/lib/money.ts'
import { Bank } from '../adapter/kernel/bank.ts'
import { createExampleProvider } from '../adapter/kernel/example-provider.ts'
import { findFreePort } from './free-port.ts'
import { createDatabase, type TestAnswer, type TestCompany, TestServer } from './harness.ts'
import { SECRET } from './live.ts'

export interface AdapterWorldOptions {
  readonly deposits?: ChainState
  readonly createProvider?: (clock: Clock) => Promise<CardProvider>
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
  static async start({ deposits, createProvider }: AdapterWorldOptions = {}): Promise<AdapterWorld> {
    const port = await findFreePort()
    const settings = { ISSUER_URL: `http://127.0.0.1:${port}`, ISSUER_SECRET: SECRET, ISSUER_TIMEOUT_MS: '60000' }
    const server = await TestServer.start(settings, { lookUpDelaysMs: [0, 0] })
    const { connection, drop } = await createDatabase()
    const db: Pool = createPool(connection, { size: 3, onError: () => {} })
    const bank = new Bank()
    const adapter = await startAdapter({
      db,
      connection,
      clock: server.clock,
      log: createLog({ level: 'silent' }),
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

  /** A company that may do everything in live, with money that came from nowhere. */
  async createCompany(): Promise<TestCompany> {
    const { server } = this
    const company = await server.createCompany()
    const access = { db: server.db, clock: server.clock, keyring: server.app.keyring }
    await changeCapabilities(access, programActor('test'), company.id, { liveServices: true, directInvoices: true })
    const key = await server.createKey(company.id, { environment: 'live', scopes: PERMISSIONS })
    const scope = { companyId: company.id, environment: 'live' } as const
    const funds = { amount: cents(100_000n), fee: ZERO, idempotencyKey: 'funds', digest: '00'.repeat(32) }
    await deposit({ db: server.db, clock: server.clock }, scope, funds)
    return { ...company, key, scope }
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
