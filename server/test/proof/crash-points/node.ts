// A node of a crash test: the whole server in this process, whose memory is dropped before or after one of its calls.
import { randomUUID } from 'node:crypto'
import type { QueryResult } from 'pg'
import { type App, createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Statement } from '../../../src/db/sql.ts'
import { EVENTS_PATH } from '../../../src/issuer/http/protocol.ts'
import { createLog } from '../../../src/lib/log.ts'
import { toDispatcher } from '../../support/dispatcher.ts'
import { ISSUER_SECRET } from '../world/issuer.ts'
import { toDb } from '../world/line.ts'
import { createLife } from '../world/time.ts'
import type { ClientAnswer, ClientRequest, World } from './world.ts'

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

/** Short look-ups keep the number of idle polls between them small; their code is the same. */
const LOOK_UP_DELAYS_MS = [100, 200, 400]
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

export class Node {
  readonly #world: World
  readonly #life = createLife(randomUUID())
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
    return !this.#life.isAlive
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
      ISSUER_SECRET,
      ISSUER_TIMEOUT_MS: String(ISSUER_TIMEOUT_MS),
      ISSUER_FENCE: 'true',
      WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false',
    })
    const db = toDb((statement) => this.#statement(statement))
    await time.run(this.#life, async () => {
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
            this.#world.wire.take(outgoing),
          ),
        webhookAgent: toDispatcher((delivery) =>
          Promise.race([
            this.#port('deliver', () => ({ answer: this.#world.receivers.receive(delivery) })),
            abortOf(delivery.signal),
          ]),
        ),
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
    this.#world.time.end(this.#life)
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
    const asked = this.#world.time.run(this.#life, () =>
      this.app.server.inject({ method, url: path, headers, ...(body === undefined ? {} : { payload }) }),
    )
    try {
      const answer = await Promise.race([asked, this.#crashed])
      return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body: answer.body }
    } catch (error) {
      return ignoreCrash(error)
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
  async #port<Answer>(label: string, make: () => { answer: Promise<Answer> }): Promise<Answer> {
    const made = await this.#call(label, async (mayGoOn) => {
      if (!mayGoOn(true)) return undefined
      this.#world.noteChange()
      const result = make()
      // A node that crashes meanwhile does not wait for the answer.
      result.answer.catch(() => undefined)
      return { result, wrote: true }
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
