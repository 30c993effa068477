// Starts a server with a live issuer: the reference issuer, on a database of its own and with the same clock.
import { expect } from 'vitest'
import { programActor } from '../../src/access/audit.ts'
import { changeCapabilities } from '../../src/companies/companies.ts'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { createPool, type Pool } from '../../src/db/pool.ts'
import type { Invoice } from '../../src/funding/schema.ts'
import { PAUSES_MS } from '../../src/issuer/circuit.ts'
import { UNANSWERED_MAX_MS } from '../../src/issuer/evidence.ts'
import type { EventMode } from '../../src/adapter/outbox/outbox.ts'
import type { Mode, Subject } from '../../src/adapter/reference/behaviour.ts'
import { type ReferenceIssuer, type ReferenceOptions, startReferenceIssuer } from '../../src/adapter/reference/start.ts'
import { findId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { createLog } from '../../src/lib/log.ts'
import { findFreePort } from './free-port.ts'
import { createDatabase, type TestCompany, TestServer } from './harness.ts'
import { INVOICES } from './invoices.ts'
import { until } from './wait.ts'

export const SECRET = 'a-secret-that-only-the-two-of-them-know'
/** The shortest time-out that the configuration allows, for tests in which the issuer never answers. */
export const SHORT_TIMEOUT = { ISSUER_TIMEOUT_MS: '1000' }
/** No answer takes this long, even on a busy machine. */
const TIMEOUT_MS = '60000'

export interface Book {
  requests: { token: string; kind: string; received: string | null }[]
  arrivals: { token: string; kind: string; mode: string }[]
  events: { id: string; body: string; status: string; attempts: number }[]
}

export class LiveWorld {
  readonly server: TestServer
  readonly issuer: ReferenceIssuer
  readonly #issuerDb: Pool
  readonly #drop: () => Promise<void>
  /** Where the issuer sends its events; to the server by default. */
  eventsUrl: string | undefined

  private constructor(server: TestServer, issuer: ReferenceIssuer, issuerDb: Pool, drop: () => Promise<void>) {
    this.server = server
    this.issuer = issuer
    this.#issuerDb = issuerDb
    this.#drop = drop
  }

  static async start(
    lookUpDelaysMs: readonly number[] = [0, 0],
    settings: Record<string, string> = {},
    about: ReferenceOptions['about'] = {},
  ): Promise<LiveWorld> {
    const port = await findFreePort()
    const issuerSettings = {
      ISSUER_URL: `http://127.0.0.1:${port}`,
      ISSUER_SECRET: SECRET,
      ISSUER_TIMEOUT_MS: TIMEOUT_MS,
    }
    const environ = { ...issuerSettings, ...settings }
    const server = await TestServer.start(environ, { lookUpDelaysMs })
    const { connection, drop } = await createDatabase()
    const db = createPool(connection, { size: 3, onError: () => {} })
    const started: { world?: LiveWorld } = {}
    const issuer = await startReferenceIssuer({
      db,
      clock: server.clock,
      log: createLog({ level: 'silent' }),
      secret: SECRET,
      host: '127.0.0.1',
      port,
      controlPort: 0,
      // Without the setting, a test is about an issuer that cannot fence.
      about: { hasFence: settings['ISSUER_FENCE'] === 'true', ...about },
      findEventsUrl: () => started.world?.eventsUrl ?? server.baseUrl,
    })
    started.world = new LiveWorld(server, issuer, db, drop)
    return started.world
  }

  async stop(): Promise<void> {
    await this.issuer.stop()
    await this.#issuerDb.close()
    await this.#drop()
    await this.server.stop()
  }

  async control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await fetch(`${this.issuer.controlUrl}/control/${path}`, {
      method,
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expectOk(answer.status, text)
    return JSON.parse(text) as Body
  }

  behave = (kind: Subject, mode: Mode, more: { times?: number; delayMs?: number } = {}) =>
    this.control('PUT', 'behaviour', { kind, mode, ...more })
  sendEvents = (mode: EventMode) => this.control('PUT', 'events', { mode })
  setFence = (enabled: boolean) => this.control('PUT', 'fence', { enabled })
  listen = (listening: boolean) => this.control('PUT', 'listening', { listening })
  book = () => this.control<Book>('GET', 'book')
  seePayment = (id: string, payment: { amount?: string; paidAt?: string } = {}) =>
    this.control<{ eventId: string; paymentId: string }>('POST', `invoices/${id}/payments`, payment)

  /** Lets the longest pause pass, so that a server that stopped its requests sends the next one, as a trial. */
  passPause(): void {
    this.server.clock.advance(must(PAUSES_MS.at(-1)))
  }

  /** Returns the number of requests, without look-ups, that reached the issuer with this object's token. */
  async arrivalsOf(wireId: string): Promise<number> {
    const token = findId('op', wireId) ?? findId('inv', wireId)
    return (await this.book()).arrivals.filter((arrival) => arrival.token === token && arrival.kind !== 'look_up')
      .length
  }

  /** Creates a company with every capability and a live key. */
  async createCompany(): Promise<TestCompany> {
    const { server } = this
    const company = await server.createCompany()
    const access = { db: server.db, clock: server.clock, keyring: server.app.keyring }
    const actor = programActor('test')
    await changeCapabilities(access, actor, company.id, { liveServices: true, directInvoices: true })
    const key = await server.createKey(company.id, { environment: 'live', scopes: PERMISSIONS })
    return { ...company, key, scope: { companyId: company.id, environment: 'live' } }
  }

  /** Funds the account by an invoice that the issuer sees paid. There is no other way in live. */
  async fund(company: TestCompany, amount: string): Promise<Invoice> {
    const { body } = await this.server.post<Invoice>(INVOICES, company.key, { amount })
    await this.seePayment(body.id)
    return this.waitForInvoice(company, body.id, 'completed')
  }

  async waitForInvoice(company: TestCompany, id: string, status: string): Promise<Invoice> {
    const read = async () => (await this.server.get<Invoice>(`${INVOICES}/${id}`, company.key)).body
    return waitForStatus(read, status)
  }

  async waitForOperation(company: TestCompany, id: string, status: string): Promise<Record<string, unknown>> {
    const read = async () => (await this.server.get(`/api/v1/operations/${id}`, company.key)).body
    return waitForStatus(read, status)
  }

  /**
   * Waits for the review of an object whose request and look-ups get no answer: lets time pass until the server no longer looks it up.
   * Afterwards the issuer answers again, and the server calls it.
   */
  async waitForReview(company: TestCompany, path: string): Promise<Record<string, unknown>> {
    const wireId = must(path.split('/').at(-1))
    // A request whose time passes before it is sent is not sent.
    await until('the request arrives', async () => (await this.arrivalsOf(wireId)) > 0)
    const read = async () => {
      this.server.clock.advance(UNANSWERED_MAX_MS / 10)
      return (await this.server.get(path, company.key)).body
    }
    const reviewed = await waitForStatus(read, 'manual_review')
    for (const subject of ['all', 'look_up', 'issue', 'topup', 'service', 'invoice'] as const)
      await this.behave(subject, 'normal')
    // After so many calls without an answer the server has stopped calling. It tries again after this, and then an answer must come.
    // A call that is still under way may end without one and begin another pause.
    const other = await this.createCompany()
    await until('the server calls the issuer again', async () => {
      this.passPause()
      const { body } = await this.server.post<Invoice>(INVOICES, other.key, { amount: '50' })
      return body.status === 'pending'
    })
    return reviewed
  }
}

function expectOk(status: number, text: string): void {
  expect({ status, text }).toMatchObject({ status: 200 })
}

function waitForStatus<Body extends { status?: unknown }>(read: () => Promise<Body>, status: string): Promise<Body> {
  return until(`the status is ${status}`, async () => {
    const body = await read()
    return body.status === status && body
  })
}
