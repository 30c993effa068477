// The virtual world of a crash test, with one node at a time that can crash before and after every call. Nothing waits for real
// time, and nothing uses the network but the driver of the database.
import type { QueryResult } from 'pg'
import { acceptOperatorToken } from '../../../src/operator-tokens/queries.ts'
import { makeToken, tokenEnds } from '../../../src/access/tokens.ts'
import type { Connection, Db } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import { newId } from '../../../src/lib/ids.ts'
import { Line } from '../world/line.ts'
import { KEEP_PLANS } from '../world/plans.ts'
import { Receivers } from '../world/receivers.ts'
import { VirtualTime } from '../world/time.ts'
import { installTimers } from '../world/timers.ts'
import { Node, type NodeOptions } from './node.ts'
import { RECEPTION_OF, type ReceptionName, Wire } from './wire.ts'

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
/** Longer than the pause between two runs of any job that ends something. */
const JOB_INTERVAL_MS = 600
/** Timers fire at multiples of this, as on a slow machine. Most of them belong to polls that find nothing to do. */
const STEP_MS = 250
/** Runs begin at multiples of this, so that they see the same times of day. */
const ALIGN_MS = 60_000

export class World {
  readonly time = new VirtualTime()
  /** For the test's own use. */
  readonly db: Db
  readonly wire: Wire
  readonly receivers: Receivers
  /** Applies to the next delivery; then every delivery is accepted. */
  reception: ReceptionName = 'accepts'
  readonly operatorToken = makeToken('operator')
  readonly #lines: readonly [own: Line, ofNodes: Line]
  readonly #restoreTimers: () => void
  #node: Node | undefined
  #queue: Promise<unknown> = Promise.resolve()
  readonly #busy = new Set<Promise<unknown>>()
  readonly #random = Math.random
  readonly #said = new Map<string, string>()
  #crashes = 0
  /** Counts calls that may have changed something. */
  #changes = 0

  private constructor(own: Line, ofNodes: Line) {
    this.#lines = [own, ofNodes]
    this.db = own.db
    this.wire = new Wire(this.time, (request) => this.#deliverEvent(request))
    this.receivers = new Receivers(this.time, () => {
      const { reception } = this
      this.reception = 'accepts'
      return RECEPTION_OF[reception]
    })
    this.#restoreTimers = installTimers(this.time, { immediates: 'real' })
  }

  /** All nodes reach the database on the same connection, so that a run makes the same calls in the same order each time. */
  static async open(connection: Connection): Promise<World> {
    const [own, ofNodes] = [await Line.open(connection), await Line.open(connection)]
    await own.client.query(KEEP_PLANS)
    return new World(own, ofNodes)
  }

  async close(): Promise<void> {
    this.#node?.crash()
    await this.#queue
    for (const line of this.#lines) await line.close()
    this.#restoreTimers()
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
    this.time.nowMs = (Math.floor(this.time.nowMs / ALIGN_MS) + 1) * ALIGN_MS
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
    return this.#lines[1].execute(statement)
  }
  watchStatement(
    statement: Statement,
    mayCommit: (wrote: boolean) => boolean,
  ): Promise<{ result: QueryResult; wrote: boolean } | undefined> {
    return this.#lines[1].runAndWatch(statement, mayCommit)
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
    this.time.advance(ms)
    const endMs = this.time.nowMs + JOB_INTERVAL_MS
    await this.#advance(() => this.time.nowMs >= endMs, 'the time has passed')
  }

  /** Waits until everything that is under way has ended, without letting time pass. */
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
      const maySkip = changes === this.#changes && !this.wire.expectsWithin(SOON_MS)
      skipMs = maySkip ? Math.min(2 * skipMs + FIRST_SKIP_MS, SKIP_MS_MAX) : 0
      changes = this.#changes
      this.time.advance(skipMs)
      this.#fireNext()
    }
  }

  /**
   * Moves the time to the step after the next timer and fires every timer that is due, in the order in which they were set. Timers that
   * were due while time passed at once fire once.
   */
  #fireNext(): void {
    const { time } = this
    const nextMs = Math.min(...time.waiting.map(({ atMs }) => atMs))
    // Nobody waits for anything when the node has crashed.
    if (!Number.isFinite(nextMs)) return time.advance(STEP_MS)
    time.nowMs = Math.max(time.nowMs, Math.ceil(nextMs / STEP_MS) * STEP_MS)
    for (const step of time.waiting.filter(({ atMs }) => atMs <= time.nowMs)) if (time.remove(step)) void step.run()
  }

  /** Waits until nothing more can happen unless time passes. */
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

  async #deliverEvent(request: ClientRequest): Promise<number | undefined> {
    if (this.isNodeDead) return undefined
    return (await this.node.raw(request))?.status
  }

  /** For the judge. */
  get client() {
    return this.#lines[0].client
  }
}
