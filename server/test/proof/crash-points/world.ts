// The world of a crash test: one database, the reference issuer, receivers of webhooks, and nodes that can crash before and
// after every call. Nothing waits for real time, and nothing uses the network but the database driver.
import { randomUUID } from 'node:crypto'
import type { QueryResult } from 'pg'
import type { Dispatcher } from 'undici'
import { acceptOperatorToken } from '../../../src/operator-tokens/queries.ts'
import { makeToken, tokenEnds } from '../../../src/access/tokens.ts'
import { type App, createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Connection, Db } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import { EVENTS_PATH } from '../../../src/issuer/http/protocol.ts'
import { newId } from '../../../src/lib/ids.ts'
import { createLog } from '../../../src/lib/log.ts'
import { KEEP_PLANS } from '../support/plans.ts'
import { IssuerWorld, SECRET } from './issuer.ts'
import { Line } from './line.ts'
import { Receivers } from './receivers.ts'
import { Owner, VirtualTime } from './virtual-time.ts'

/** A call that a node made: a statement, a request to the issuer, or a delivery to a receiver. */
export interface Call {
  readonly label: string
  readonly wrote: boolean
}

/**
 * Where a node crashes: before or after the n-th call with this label that writes. For a call that only reads: before the first
 * one with this label after n calls that wrote. Idle polls are not counted, because their number may differ between runs.
 */
export interface CrashPoint {
  readonly label: string
  readonly wrote: boolean
  readonly nth: number
  readonly when: 'before' | 'after'
}

export interface ClientAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly cookie: string | undefined
}

export interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly token?: string
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** Turns of the event loop without anything to do, after which nothing will happen before the next timer. */
const IDLE_TURNS = 8
/** A run that takes more virtual time than this does not end. Reviews and retries all end long before. */
const SETTLE_MS_MAX = 3_600_000
const FIRST_SKIP_MS = 125
/** Longer than a message takes that arrives between two look-ups. */
const SOON_MS = 2_000
const SKIP_MS_MAX = 8_000
/** How often a condition is asked at least. */
const ASK_INTERVAL_MS = 500
/** Short look-ups keep the number of idle polls between them small; their code is the same. */
const LOOK_UP_DELAYS_MS = [100, 200, 400]
/** Longer than the pause between two runs of any job that ends something. */
const JOB_INTERVAL_MS = 600
const ISSUER_TIMEOUT_MS = 1_000
/** Short, for the same reason. */
const WEBHOOK_DEADLINE_MS = 1_000

/** The paths that preparing scenarios needs. Preparing all routes would be most of the work. */
const PATHS = ['/api/v1/operations', '/api/v1/webhook-endpoints', '/admin/v1/invitations', '/console/v1/links/use']

export interface NodeOptions {
  readonly crash?: CrashPoint
  /** Find out which calls write. */
  readonly watch?: boolean
  /** The paths that it serves. */
  readonly serves?: readonly string[]
}

class Crashed extends Error {}

export class World {
  readonly time = new VirtualTime()
  /** For the test's own use. */
  readonly db: Line
  readonly receivers = new Receivers()
  readonly operatorToken = makeToken('operator')
  readonly issuer: IssuerWorld
  readonly #line: Line
  #node: Node | undefined
  #queue: Promise<unknown> = Promise.resolve()
  readonly #busy = new Set<Promise<unknown>>()
  readonly #random = Math.random
  readonly #said = new Map<string, string>()
  #crashes = 0
  /** Counts calls that may have changed something. */
  #changes = 0

  private constructor(connection: Connection, issuerConnection: Connection) {
    this.db = new Line(connection)
    this.#line = new Line(connection)
    this.issuer = new IssuerWorld(this.time, issuerConnection, {
      track: (work) => this.track(work),
      deliver: (request) => this.#deliverEvent(request),
    })
  }

  static async open(connection: Connection, issuerConnection: Connection): Promise<World> {
    const world = new World(connection, issuerConnection)
    await world.db.run({ name: undefined, text: KEEP_PLANS, values: [] })
    await world.issuer.start()
    return world
  }

  async close(): Promise<void> {
    this.#node?.crash()
    await this.#queue
    this.issuer.stop()
    await this.issuer.close()
    await this.#line.close()
    await this.db.close()
    this.time.uninstall()
    Math.random = this.#random
  }

  /** Whether a node has crashed in this run. */
  get hasCrashed(): boolean {
    return this.#crashes > 0
  }

  beginRun(): void {
    this.#crashes = 0
    // The pauses between attempts are random. Every run must make the same calls, so they are the same in all runs.
    Math.random = () => 0.5
    this.#said.clear()
    this.time.align()
  }

  /** Ends the node of the run, whatever it still does. */
  endRun(): void {
    const crashes = this.#crashes
    this.#node?.crash()
    this.#crashes = crashes
  }

  noteCrash(): void {
    this.#crashes += 1
  }

  get isNodeDead(): boolean {
    return this.#node === undefined || this.#node.isDead
  }

  get node(): Node {
    if (this.#node === undefined || this.#node.isDead) throw new Error('No node is alive.')
    return this.#node
  }

  /** Starts a node. There is only one at a time. */
  async startNode(options: NodeOptions = {}): Promise<Node> {
    if (this.#node !== undefined && !this.#node.isDead) throw new Error('A node is alive already.')
    const node = new Node(this, options)
    this.#node = node
    await this.during(node.open())
    return node
  }

  async addOperatorToken(): Promise<void> {
    await acceptOperatorToken(this.db, {
      id: newId(this.time.now()),
      name: 'test',
      ...tokenEnds(this.operatorToken),
      digest: this.node.app.keyring.digest(this.operatorToken),
      createdAt: this.time.now(),
    })
  }

  /** Knows work that is under way outside the event loop of the nodes. */
  track<Value>(work: Promise<Value>): Promise<Value> {
    const tracked = work.finally(() => this.#busy.delete(tracked))
    this.#busy.add(tracked)
    return tracked
  }

  /** Runs work that may use the database when nothing else does. */
  exclusively<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = this.#queue.then(() => this.time.runReal(work))
    this.#queue = mine.catch(() => undefined)
    return this.track(mine)
  }

  noteChange(): void {
    this.#changes += 1
  }

  /** A statement that says something else than the last time shows that something has changed. */
  noteResult(text: string, { rowCount, rows }: QueryResult): void {
    const said = JSON.stringify([rowCount, rows], (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    if (this.#said.get(text) === said) return
    this.#said.set(text, said)
    this.noteChange()
  }

  runStatement(statement: Statement): Promise<QueryResult> {
    return this.#line.execute(statement)
  }
  watchStatement(
    statement: Statement,
    mayCommit: (wrote: boolean) => boolean,
  ): Promise<{ result: QueryResult; wrote: boolean } | undefined> {
    return this.#line.runAndWatch(statement, mayCommit)
  }

  /** Lets virtual time pass until the work is done, and returns its result. */
  async during<Value>(work: Promise<Value>): Promise<Value> {
    let isDone = false
    const finish = () => {
      isDone = true
    }
    work.then(finish, finish)
    await this.#advance(() => isDone, 'the work is done')
    return work
  }

  /** Lets this much virtual time pass at once, and then a moment in which every job runs. */
  async pass(ms: number): Promise<void> {
    await this.#quiesce()
    this.time.skip(ms)
    const endMs = this.time.nowMs + JOB_INTERVAL_MS
    await this.#advance(() => this.time.nowMs >= endMs, 'the time has passed')
  }

  /** Lets everything end that is under way, without the passing of time. */
  rest(): Promise<void> {
    return this.#quiesce()
  }

  /** Lets virtual time pass until the condition is true. The condition may read the database. */
  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    let askedAt = -1
    let askedAtMs = Number.NEGATIVE_INFINITY
    await this.#advance(async () => {
      if (this.#changes === askedAt && this.time.nowMs - askedAtMs < ASK_INTERVAL_MS) return false
      askedAt = this.#changes
      askedAtMs = this.time.nowMs
      return isTrue()
    }, what)
  }

  async #advance(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const endMs = this.time.nowMs + SETTLE_MS_MAX
    let changes = this.#changes
    for (let skipMs = 0; ;) {
      await this.#quiesce()
      if (await isTrue()) return
      if (this.time.nowMs > endMs) throw new Error(`An hour passed before ${what}.`)
      // While nothing changes, time passes in longer and longer steps, so that long pauses cost few polls.
      // Not while a message arrives that a look-up may or may not see: every run must see the same.
      const maySkip = changes === this.#changes && !this.issuer.expectsWithin(SOON_MS)
      skipMs = maySkip ? Math.min(2 * skipMs + FIRST_SKIP_MS, SKIP_MS_MAX) : 0
      changes = this.#changes
      this.time.skip(skipMs)
      this.time.fireNext()
    }
  }

  /** Waits until nothing happens any more without the passing of time. */
  async #quiesce(): Promise<void> {
    for (let idle = 0; idle < IDLE_TURNS; idle += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      // Password hashes are computed on other threads.
      const isLast = idle === IDLE_TURNS - 1
      if (isLast && process.getActiveResourcesInfo().includes('ScryptRequest')) idle = -1
      // Asking again and again would take the processor from the database.
      if (this.#busy.size === 0) continue
      await Promise.allSettled(this.#busy)
      idle = -1
    }
  }

  /** Sends a request to the living node. Returns undefined when no answer came, because the node crashed. */
  async send(request: ClientRequest): Promise<ClientAnswer | undefined> {
    return this.during(this.node.answer(request))
  }

  async #deliverEvent(
    request: ClientRequest,
  ): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined> {
    if (this.#node === undefined || this.#node.isDead) return undefined
    return this.#node.raw(request)
  }
}

export class Node {
  readonly #world: World
  readonly #owner = new Owner(randomUUID())
  readonly #crash: CrashPoint | undefined
  readonly #watch: boolean
  readonly #serves: readonly string[]
  readonly #crashed: Promise<never>
  #rejectCrashed: (error: Error) => void = () => {}
  #app: App | undefined
  /** In the order in which they were made. */
  readonly calls: Call[] = []

  constructor(world: World, { crash, watch = false, serves = PATHS }: NodeOptions) {
    this.#world = world
    this.#serves = serves
    this.#crash = crash
    this.#watch = watch
    this.#crashed = new Promise<never>((_, reject) => {
      this.#rejectCrashed = reject
    })
    this.#crashed.catch(() => undefined)
  }

  get isDead(): boolean {
    return this.#owner.isDropped
  }

  get app(): App {
    if (this.#app === undefined) throw new Error('The node is not open.')
    return this.#app
  }

  async open(): Promise<void> {
    const { time } = this.#world
    const config = readConfig({
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      FAILED_AUTHENTICATION_PER_MINUTE: '100000',
      FAILED_SIGN_INS_PER_ACCOUNT: '100000',
      FAILED_SIGN_INS_PER_ADDRESS: '100000',
      ISSUER_URL: 'https://issuer.test',
      ISSUER_SECRET: SECRET,
      ISSUER_TIMEOUT_MS: String(ISSUER_TIMEOUT_MS),
      ISSUER_FENCE: 'true',
    })
    const db = this.#db()
    await time.run(this.#owner, async () => {
      const opening = createApp({
        db,
        clock: time,
        log: createLog({ level: 'silent' }),
        config,
        secretKey: Buffer.alloc(32, 7),
        lookUpDelaysMs: LOOK_UP_DELAYS_MS,
        passwordCostBits: 4,
        webhookDeadlineMs: WEBHOOK_DEADLINE_MS,
        serves: ({ path }) => path === EVENTS_PATH || this.#serves.includes(path),
        issuerTransmit: (outgoing) =>
          this.#port(`issuer ${outgoing.method} ${outgoing.path.replace(/[0-9a-f-]{36}/, '…')}`, () =>
            this.#world.issuer.receive(outgoing),
          ),
        webhookAgent: {
          request: ({ path, headers, body, signal }: Dispatcher.RequestOptions) =>
            Promise.race([
              this.#port('deliver', () => this.#world.receivers.receive(path, headers, body)),
              abortOf(signal as AbortSignal),
            ]),
          destroy: async () => {},
        } as unknown as Dispatcher,
      })
      const ready = opening.then(async (app) => {
        this.#app = app
        await app.server.ready()
      })
      await Promise.race([ready, this.#crashed]).catch(ignoreCrash)
    })
  }

  /** Drops the memory of the node: none of its calls is answered, and none of its timers fires. */
  crash(): void {
    if (this.isDead) return
    this.#world.time.drop(this.#owner)
    this.#world.noteCrash()
    this.#rejectCrashed(new Crashed())
  }

  async answer(request: ClientRequest): Promise<ClientAnswer | undefined> {
    const answer = await this.raw(request)
    if (answer === undefined) return undefined
    const isJson = answer.headers['content-type']?.startsWith('application/json') === true && answer.body !== ''
    const cookie = answer.headers['set-cookie']?.toString()
    return { status: answer.status, body: isJson ? (JSON.parse(answer.body) as Record<string, unknown>) : {}, cookie }
  }

  async raw(
    request: ClientRequest,
  ): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined> {
    const { method, path, token, key, body } = request
    const headers = {
      host: 'cardstock.test',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    }
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const asked = this.#world.time.run(this.#owner, () =>
      this.app.server.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload }) }),
    )
    try {
      const answer = await Promise.race([asked, this.#crashed])
      return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body: answer.body }
    } catch (error) {
      return ignoreCrash(error)
    }
  }

  #db(): Db {
    const query = (statement: Statement) => this.#statement(statement)
    return {
      many: async (statement) => (await query(statement)).rows,
      find: async (statement) => (await query(statement)).rows[0],
      run: async (statement) => (await query(statement)).rowCount ?? 0,
    }
  }

  #statement(statement: Statement): Promise<QueryResult> {
    const world = this.#world
    const label = labelOf(statement)
    return this.#call(label, async (mayGoOn) => {
      const made = this.#watches(label)
        ? await world.watchStatement(statement, mayGoOn)
        : { result: await world.runStatement(statement), wrote: false }
      if (made !== undefined) world.noteResult(statement.text, made.result)
      return made
    })
  }

  /** A call to another party. What the party does is done when the call is made; the answer may never come. */
  async #port<Answer>(label: string, make: () => Promise<{ answer: Promise<Answer> }>): Promise<Answer> {
    const made = await this.#call(label, async (mayGoOn) => {
      if (!mayGoOn(true)) return undefined
      this.#world.noteChange()
      return { result: await make(), wrote: true }
    })
    return made.answer
  }

  /** Makes the call when it is its turn. A dead node makes none and learns nothing of those that it made. */
  #call<Result>(
    label: string,
    make: (mayGoOn: (wrote: boolean) => boolean) => Promise<{ result: Result; wrote: boolean } | undefined>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const turn = this.#world.exclusively(async () => {
        if (this.isDead) return undefined
        const made = await make((wrote) => !this.#isCrashPoint(label, wrote, 'before'))
        if (made === undefined) {
          this.crash()
          return undefined
        }
        const { result, wrote } = made
        if (this.#isCrashPoint(label, wrote, 'after')) this.crash()
        this.calls.push({ label, wrote })
        return { result }
      })
      turn.then(
        (made) => {
          if (made !== undefined && !this.isDead) resolve(made.result)
        },
        (error: unknown) => {
          if (!this.isDead) reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    })
  }

  /** Whether it matters if such a statement writes. Finding out takes three more statements. */
  #watches(label: string): boolean {
    return this.#watch || (this.#crash !== undefined && (!this.#crash.wrote || this.#crash.label === label))
  }

  /** Asked before the call is added to the others. */
  #isCrashPoint(label: string, wrote: boolean, when: CrashPoint['when']): boolean {
    const crash = this.#crash
    if (crash === undefined || crash.label !== label || crash.wrote !== wrote || crash.when !== when) return false
    const writes = this.calls.filter((call) => call.wrote)
    return wrote ? writes.filter((call) => call.label === label).length + 1 === crash.nth : writes.length === crash.nth
  }
}

function labelOf({ text }: Statement): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
}

function ignoreCrash(error: unknown): undefined {
  if (error instanceof Crashed) return undefined
  throw error
}
