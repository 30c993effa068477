// Everything that takes part in the chaos of real rails: the server and the issuer as real processes that can be killed at any time, and
// simulators of Lithic and TRON that lose answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HDKey } from '@scure/bip32'
import { PAYER } from '../../../src/adapter/simulators/tron/control-routes.ts'
import { type LithicSimulator, startLithicSimulator } from '../../../src/adapter/simulators/lithic/start.ts'
import { startTronSimulator, type TronSimulator } from '../../../src/adapter/simulators/tron/start.ts'
import { firstAddresses, parseXpub } from '../../../src/adapter/tron/xpub.ts'
import { createPool, type Pool } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { findAccount } from '../../../src/tron/address.ts'
import { parseMicros } from '../../../src/tron/usdt.ts'
import { ask, readCredentials, type ServerProcess, startIssuer, startServer, until } from '../../chaos/server.ts'
import { findFreePort } from '../../support/free-port.ts'

const SECRET = 'a-secret-that-only-the-two-of-them-know'
const FLOAT = 100_000_000n
const FUNDING = '5e9483eb-8103-4e16-9794-2106111b2eca'
const API_KEY = 'simulated-lithic-key'
const BLOCK_MS = 3_000
const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 9)).derive("m/44'/195'/0'").publicExtendedKey

export class RailsGround {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cardstock rails '))
  readonly #undo: (() => unknown)[] = [() => rmSync(this.#folder, { recursive: true, force: true })]
  readonly #newDatabaseUrl: () => Promise<string>
  #lithic: LithicSimulator | undefined
  #tron: TronSimulator | undefined
  #issuerDb: Pool | undefined
  #serverDb: Pool | undefined
  #issuerEnviron: Record<string, string> = {}
  #serverEnviron: Record<string, string> = {}
  #issuer: ServerProcess | undefined
  #server: ServerProcess | undefined
  #serial = 0
  /** The company's. */
  key = ''

  constructor(newDatabaseUrl: () => Promise<string>) {
    this.#newDatabaseUrl = newDatabaseUrl
  }

  get lithic(): LithicSimulator {
    return must(this.#lithic)
  }
  get companyId(): string {
    return this.#credentials.demo.companyId
  }
  get #credentials() {
    return readCredentials(join(this.#folder, 'data'))
  }

  async open(): Promise<void> {
    await this.#startWorld()
    const [port, issuerPort, controlPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
    const [issuerUrl, serverUrl] = [await this.#newDatabaseUrl(), await this.#newDatabaseUrl()]
    this.#issuerDb = createPool({ connectionString: issuerUrl }, { size: 2, onError: () => {} })
    this.#serverDb = createPool({ connectionString: serverUrl }, { size: 2, onError: () => {} })
    this.#undo.push(() => Promise.all([this.#issuerDb?.close(), this.#serverDb?.close()]))
    this.#issuerEnviron = {
      DATA_DIR: join(this.#folder, 'issuer'),
      ISSUER_SECRET: SECRET,
      ISSUER_PORT: String(issuerPort),
      ISSUER_CONTROL_PORT: String(controlPort),
      ISSUER_DATABASE_URL: issuerUrl,
      ISSUER_EVENTS_URL: `http://127.0.0.1:${port}`,
      LITHIC_URL: this.lithic.url,
      LITHIC_API_KEY: API_KEY,
      LITHIC_FUNDING_ACCOUNT: FUNDING,
      TRON_NETWORK: 'simulated',
      TRON_NODES: must(this.#tron?.nodes[0]).url,
      TRON_XPUB: XPUB,
      TRON_CONFIRMED: firstAddresses(parseXpub(XPUB)).join(','),
    }
    this.#serverEnviron = {
      DATA_DIR: join(this.#folder, 'data'),
      DATABASE_URL: serverUrl,
      PORT: String(port),
      RATE_LIMIT_PER_SECOND: '1000000',
      RATE_LIMIT_BURST: '1000000',
      ISSUER_URL: `http://127.0.0.1:${issuerPort}`,
      ISSUER_SECRET: SECRET,
      ISSUER_TIMEOUT_MS: '4000',
    }
    this.#undo.push(async () => {
      await this.#server?.kill()
      await this.#issuer?.kill()
    })
    await this.startIssuer()
    await this.startServer()
  }

  async #startWorld(): Promise<void> {
    const shared = { clock: systemClock, log: createLog({ level: 'silent' }), host: '127.0.0.1', controlPort: 0 }
    const account = { mode: 'balance', apiKey: API_KEY, fundingAccount: FUNDING, float: FLOAT } as const
    const lithic = await startLithicSimulator({ ...shared, ...account, port: 0 })
    const tron = await startTronSimulator({ ...shared, ports: [0], solidLag: 0 })
    tron.chain.mine(2)
    const miner = setInterval(() => tron.chain.mine(1), BLOCK_MS)
    this.#undo.push(
      () => lithic.stop(),
      () => tron.stop(),
      () => clearInterval(miner),
    )
    this.#lithic = lithic
    this.#tron = tron
  }

  /** Ends every process and removes every file, whatever state they are in. */
  async close(): Promise<void> {
    for (let step = this.#undo.pop(); step !== undefined; step = this.#undo.pop()) await step()
  }

  async startIssuer(): Promise<void> {
    this.#issuer = await startIssuer(this.#issuerEnviron, ['--cards', 'lithic', '--invoices', 'tron'])
  }
  async startServer(): Promise<void> {
    this.#server = await startServer(this.#serverEnviron)
  }
  /** The dead process cannot go on, so whoever comes next need not wait for its lease. */
  async killIssuer(): Promise<void> {
    await this.#issuer?.kill()
    await this.#issuerDb?.run(sql`update issuer_adapter.task set leased_until = now() where true`)
  }
  async killServer(): Promise<void> {
    await this.#server?.kill()
  }

  api<Body>(method: string, path: string, more: { body?: unknown; key?: string } = {}) {
    return ask<Body>({ baseUrl: this.#server?.baseUrl ?? '' }, method, `/api/v1${path}`, { token: this.key, ...more })
  }
  async admin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { operatorToken: token } = this.#credentials
    const baseUrl = this.#server?.baseUrl ?? ''
    const answer = await ask<Body>({ baseUrl }, method, `/admin/v1${path}`, { token, body })
    if (answer === undefined || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
  async control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const baseUrl = `http://127.0.0.1:${this.#issuerEnviron['ISSUER_CONTROL_PORT']}`
    const answer = await ask<Body>({ baseUrl }, method, `/control${path}`, { token: SECRET, body })
    if (answer === undefined || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
  /** The server may be dead: the same order is sent again with the same key until it is answered. */
  async send<Body>(path: string, body: unknown): Promise<Body> {
    const idempotencyKey = `k${(this.#serial += 1)}`
    return until(`${path} is answered`, async () => {
      const answer = await this.api<Body>('POST', path, { body, key: idempotencyKey })
      if (answer !== undefined && answer.status >= 400 && answer.status < 500) throw new Error(JSON.stringify(answer))
      return answer !== undefined && answer.status < 300 && answer.body
    })
  }

  /** Sends USDT to an address, in a block of its own. */
  pay(address: string, amount: string): void {
    const { chain } = must(this.#tron)
    const to = Buffer.from(must(findAccount(address))).toString('hex')
    chain.send({ kind: 'transfer', from: PAYER, to, amount: parseMicros(amount) })
    chain.mine(1)
  }
  /** Returns an address of the issuer that no invoice has had, or undefined if all have been given. */
  async findUnusedAddress(): Promise<string | undefined> {
    const row = await this.#issuerDb?.find<{ address: string }>(sql`
      select address from issuer_adapter.tron_address where free_at = '-infinity' order by index desc limit 1`)
    return row?.address
  }

  /** Makes everything due that waits for its time. What a process is working on is left alone: to wait for it with other rows locked would be a deadlock. */
  async hurry(): Promise<void> {
    await this.#issuerDb?.run(sql`
      update issuer_adapter.task set due_at = now() where token in (
        select token from issuer_adapter.task where waiting_since is null and due_at > now() for update skip locked)`)
    await this.#serverDb?.run(sql`
      update issuer_request set due_at = now() where id in (
        select id from issuer_request where status = 'processing' and due_at > now() for update skip locked)`)
  }
}
