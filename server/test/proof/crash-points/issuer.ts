// The reference issuer without a network: its real routes and records, behind a wire that can lose, damage and delay messages.
import type { FastifyInstance } from 'fastify'
import { createMetrics } from '../../../src/http/metrics.ts'
import { createServer } from '../../../src/http/server.ts'
import { createBehaviour, type Mode } from '../../../src/issuer/reference/behaviour.ts'
import { eventJob, tell } from '../../../src/issuer/reference/events.ts'
import { createNotice } from '../../../src/issuer/reference/notice.ts'
import { protocolRoutes, type ReferenceDeps } from '../../../src/issuer/reference/protocol-routes.ts'
import { findRequest, insertPayment } from '../../../src/issuer/reference/queries.ts'
import type { Outgoing, Transmitted } from '../../../src/issuer/http/transmit.ts'
import type { Connection, Db } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import { findId, newId } from '../../../src/lib/ids.ts'
import { createLog } from '../../../src/lib/log.ts'
import { parseCents } from '../../../src/lib/money.ts'
import { parseMicros } from '../../../src/tron/usdt.ts'
import { startLoop } from '../../../src/worker/loop.ts'
import { Line } from './line.ts'
import { Owner, type VirtualTime } from './virtual-time.ts'
import type { ClientRequest } from './world.ts'

export const SECRET = 'a-secret-that-only-the-two-of-them-know'

/** What becomes of the next request that is not a look-up. */
export const OUTCOMES = [
  'completes',
  'refuses',
  'acts, no answer',
  'no answer',
  'acts, then 500',
  '500',
  'acts, then garbage',
  'garbage',
  'acts, cut in mid-answer',
  'unsigned',
  'wrong amount',
  'refused connection',
  'arrives late',
  'arrives after the last look-up',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The issuer's own behaviour. In the others the wire fails. */
const MODES: Readonly<Partial<Record<Outcome, Mode>>> = {
  refuses: 'refuse',
  'no answer': 'fail',
  'acts, then 500': 'act_then_fail',
  '500': 'fail',
  'acts, then garbage': 'act_then_garbage',
  garbage: 'garbage',
  unsigned: 'unsigned',
  'wrong amount': 'wrong_amount',
}

/** After the caller's deadline of one second and before its last look-up, and long after that. */
const DELAYS_MS: Readonly<Partial<Record<Outcome, number>>> = {
  'arrives late': 1_150,
  'arrives after the last look-up': 30_000,
}

interface Wire {
  track<Value>(work: Promise<Value>): Promise<Value>
  deliver(
    request: ClientRequest,
  ): Promise<{ status: number; headers: Record<string, string>; body: string } | undefined>
}

/** A request, not a look-up, that reached the issuer. */
export interface Arrived {
  readonly token: string
  readonly companyId: string
  readonly amount: bigint | undefined
  readonly atMs: number
}

export class IssuerWorld {
  readonly #time: VirtualTime
  readonly #line: Line
  readonly #wire: Wire
  readonly #behaviour = createBehaviour()
  readonly #owner = new Owner('issuer')
  #server: FastifyInstance | undefined
  #deps: ReferenceDeps | undefined
  /** When messages arrive that are on their way. */
  readonly #arrivals = new Set<{ readonly atMs: number }>()
  /** In the order of their arrival. */
  readonly arrived: Arrived[] = []
  /** Applies to the next request; then every request completes. */
  outcome: Outcome = 'completes'

  constructor(time: VirtualTime, connection: Connection, wire: Wire) {
    this.#time = time
    this.#wire = wire
    this.#line = new Line(connection)
  }

  async start(): Promise<void> {
    const time = this.#time
    const tracked = <Value>(work: () => Promise<Value>) => this.#wire.track(time.runReal(work))
    const db: Db = {
      many: (statement) => tracked(() => this.#line.many(statement)),
      find: (statement) => tracked(() => this.#line.find(statement)),
      run: (statement) => tracked(() => this.#line.run(statement)),
    }
    const log = createLog({ level: 'silent' })
    const deps = { db, clock: time, secret: SECRET, behaviour: this.#behaviour }
    this.#deps = deps
    const authenticate = async () => ({ caller: undefined, actor: undefined, session: undefined })
    await time.run(this.#owner, async () => {
      this.#server = createServer({
        routes: protocolRoutes(deps),
        authenticate,
        metrics: createMetrics(),
        clock: time,
        log,
      })
      const server = {
        baseUrl: 'http://cardstock.test',
        secret: SECRET,
        clock: time,
        timeoutMs: 10_000,
        transmit: (outgoing: Outgoing) => this.#sendEvent(outgoing),
      }
      startLoop(eventJob({ ...deps, findServer: () => server, notice: createNotice({ clock: time, log }) }), log)
    })
  }

  stop(): void {
    this.#time.drop(this.#owner)
  }

  async close(): Promise<void> {
    await this.#line.close()
  }

  /** Messages that are on their way and will arrive. */
  get underWay(): number {
    return this.#arrivals.size
  }

  /** Whether a message arrives within this time. */
  expectsWithin(ms: number): boolean {
    return [...this.#arrivals].some(({ atMs }) => atMs - this.#time.nowMs <= ms)
  }

  /** Takes a message from the wire. What it causes has happened when this resolves; the answer may never come. */
  async receive(outgoing: Outgoing): Promise<{ answer: Promise<Transmitted> }> {
    const isRequest = outgoing.method === 'PUT'
    const outcome = isRequest ? this.outcome : 'completes'
    if (isRequest) this.outcome = 'completes'
    const never = new Promise<never>(() => {})
    if (outcome === 'refused connection')
      return { answer: Promise.resolve({ kind: 'not_sent', reason: 'ECONNREFUSED' }) }
    const delayMs = DELAYS_MS[outcome]
    if (delayMs !== undefined) {
      this.#deliverLater(outgoing, delayMs)
      return { answer: never }
    }
    const answer = await this.#handle(outgoing, MODES[outcome] ?? 'normal')
    if (outcome === 'acts, no answer' || outcome === 'no answer') return { answer: never }
    if (outcome === 'acts, cut in mid-answer')
      return { answer: Promise.resolve({ kind: 'unknown', reason: 'other side closed' }) }
    return { answer: Promise.resolve(answer) }
  }

  /** The message is on its way, and arrives even if its sender dies. */
  #deliverLater(outgoing: Outgoing, delayMs: number): void {
    const arrival = { atMs: this.#time.nowMs + delayMs }
    this.#arrivals.add(arrival)
    const deliver = async () => {
      await this.#handle(outgoing, 'normal')
      this.#arrivals.delete(arrival)
    }
    this.#time.run(this.#owner, () => setTimeout(() => void deliver(), delayMs))
  }

  async #handle({ method, path, headers, body }: Outgoing, mode: Mode): Promise<Transmitted> {
    if (method === 'PUT') this.#note(path, body ?? '')
    if (mode !== 'normal') this.#behaviour.set('all', { mode, delayMs: 0, times: 1 })
    const all = { host: 'issuer.test', ...headers }
    const answer = await this.#time.run(this.#owner, async () =>
      this.#server?.inject({ method, url: path, headers: all, ...(body === undefined ? {} : { payload: body }) }),
    )
    if (answer === undefined) throw new Error('The issuer has not started.')
    return {
      kind: 'answered',
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: answer.body,
    }
  }

  #note(path: string, body: string): void {
    const { companyId, amount } = JSON.parse(body) as { companyId: string; amount?: string }
    this.arrived.push({
      token: path.slice(path.lastIndexOf('/') + 1),
      companyId: findId('co', companyId) ?? '',
      amount: amount === undefined ? undefined : parseCents(amount),
      atMs: this.#time.now().getTime(),
    })
  }

  async #sendEvent({ method, path, headers, body }: Outgoing): Promise<Transmitted> {
    const answer = await this.#wire.deliver({ method, path, headers, body })
    return answer === undefined ? { kind: 'unknown', reason: 'other side closed' } : { kind: 'answered', ...answer }
  }

  /** Sees the payment of an invoice, in full, and reports it. */
  async pay(token: string): Promise<void> {
    const deps = this.#deps
    const request = await findRequest(this.#line, token)
    if (deps === undefined || request?.kind !== 'invoice' || request.answer.outcome !== 'done') return
    if (request.answer.kind !== 'invoice') return
    const now = this.#time.now()
    const paymentId = `tx_${newId(now).replaceAll('-', '')}`
    const amount = request.answer.payAmount
    await insertPayment(this.#line, { id: paymentId, token, amount: parseMicros(amount), paidAt: now })
    const data = { token, paymentId, amount, paidAt: now.toISOString() }
    await tell(deps, { type: 'invoice.settled', companyId: request.content.companyId, data })
  }

  /** Reports whether the issuer carried the request out. */
  async hasDone(token: string): Promise<boolean> {
    return (await findRequest(this.#line, token))?.answer.outcome === 'done'
  }

  /** Returns what was carried out. */
  async effects(): Promise<{ token: string; amount: bigint | undefined }[]> {
    const rows = await this.#line.many<{ token: string; amount: string | null }>(sql`
      select token, content->>'amount' as amount from reference_issuer.request where answer->>'outcome' = 'done'`)
    return rows.map(({ token, amount }) => ({ token, amount: amount === null ? undefined : parseCents(amount) }))
  }

  /** Returns the payments of invoices that it saw. */
  async payments(): Promise<{ key: string; invoiceId: string; amount: bigint }[]> {
    return this.#line.many(sql`select id as key, token as "invoiceId", amount from reference_issuer.payment`)
  }
}
