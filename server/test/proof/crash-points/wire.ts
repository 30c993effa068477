// The wire between a node and the issuer, which can lose, damage and delay messages, and what becomes of deliveries to receivers of
// webhooks.
import { EVENTS_PATH } from '../../../src/issuer/http/protocol.ts'
import type { Outgoing, Transmitted } from '../../../src/issuer/http/transmit.ts'
import { parseMicros } from '../../../src/tron/usdt.ts'
import { type Damage, ISSUER_SECRET, WorldIssuer } from '../world/issuer.ts'
import { recordPayment, signEvent } from '../world/issuer-events.ts'
import type { Reception } from '../world/receivers.ts'
import type { VirtualTime } from '../world/time.ts'
import type { ClientRequest } from './world.ts'

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

/** The request arrives, and the issuer does not carry it out. */
const IDLE: ReadonlySet<Outcome> = new Set(['no answer', '500', 'garbage'])
const SILENT: ReadonlySet<Outcome> = new Set(['no answer', 'acts, no answer'])

const DAMAGES: Readonly<Partial<Record<Outcome, Damage>>> = {
  'acts, then 500': 'error',
  '500': 'error',
  'acts, then garbage': 'garbage',
  garbage: 'garbage',
  unsigned: 'unsigned',
  'wrong amount': 'amount',
}

/** After the caller's deadline of one second and before its last look-up, and long after that. */
const DELAYS_MS: Readonly<Partial<Record<Outcome, number>>> = {
  'arrives late': 1_150,
  'arrives after the last look-up': 30_000,
}

/** What becomes of the next delivery to a receiver of webhooks. */
export const RECEPTIONS = ['accepts', '500', 'accepts, no answer', 'no answer', 'refused connection', 'cut'] as const
export type ReceptionName = (typeof RECEPTIONS)[number]

export const RECEPTION_OF: Readonly<Record<ReceptionName, Reception>> = {
  accepts: { kind: 'answers', status: 200, afterMs: 0 },
  '500': { kind: 'answers', status: 500, afterMs: 0 },
  'accepts, no answer': { kind: 'hangs', isKept: true },
  'no answer': { kind: 'hangs', isKept: false },
  'refused connection': { kind: 'fails', code: 'ECONNREFUSED', isKept: false },
  cut: { kind: 'fails', code: 'UND_ERR_SOCKET', isKept: true },
}

/** An event that is not taken is sent again after this. */
const EVENT_RETRY_MS = 250
const EVENT_DELAY_MS = 100

/** Sends a request to the living node. Resolves with the status, or undefined if no answer came. */
type Send = (request: ClientRequest) => Promise<number | undefined>

export class Wire {
  readonly issuer: WorldIssuer
  /** Applies to the next request; then every request completes. */
  outcome: Outcome = 'completes'
  readonly #time: VirtualTime
  readonly #send: Send
  /** The arrival times of messages that are on their way. */
  readonly #arrivals = new Set<{ readonly atMs: number }>()
  #isRefusing = false

  constructor(time: VirtualTime, send: Send) {
    this.#time = time
    this.#send = send
    this.issuer = new WorldIssuer(time, { refuses: () => this.#isRefusing, lookUpLagMs: 0 })
  }

  /** Messages that are on their way and will arrive. */
  get underWay(): number {
    return this.#arrivals.size
  }

  /** Whether a message arrives within this time. */
  expectsWithin(ms: number): boolean {
    return [...this.#arrivals].some(({ atMs }) => atMs - this.#time.nowMs <= ms)
  }

  /** Takes a message. What it causes has happened when this returns; the answer may never come. */
  take(outgoing: Outgoing): { answer: Promise<Transmitted> } {
    const { issuer } = this
    issuer.check(outgoing)
    const isRequest = outgoing.method === 'PUT'
    const outcome = isRequest ? this.outcome : 'completes'
    if (isRequest) this.outcome = 'completes'
    const never = { answer: new Promise<never>(() => {}) }
    const soon = (transmitted: Transmitted) => ({ answer: Promise.resolve(transmitted) })
    if (outcome === 'refused connection') return soon({ kind: 'not_sent', reason: 'ECONNREFUSED' })
    const delayMs = DELAYS_MS[outcome]
    if (delayMs !== undefined) {
      this.#deliverLater(outgoing, delayMs)
      return never
    }
    const answer = this.#carryOut(outgoing, outcome)
    if (SILENT.has(outcome)) return never
    if (outcome === 'acts, cut in mid-answer') return soon({ kind: 'unknown', reason: 'other side closed' })
    return soon(issuer.answer(outgoing, answer, damageOf(outcome, outgoing)))
  }

  #carryOut(outgoing: Outgoing, outcome: Outcome) {
    if (IDLE.has(outcome)) return void this.issuer.note(outgoing)
    this.#isRefusing = outcome === 'refuses'
    return this.issuer.take(outgoing)
  }

  /** The message is on its way, and arrives even if its sender dies. */
  #deliverLater(outgoing: Outgoing, delayMs: number): void {
    const arrival = { atMs: this.#time.nowMs + delayMs }
    this.#arrivals.add(arrival)
    const run = () => {
      this.#carryOut(outgoing, 'completes')
      this.#arrivals.delete(arrival)
    }
    this.#time.add({ label: 'issuer receives a late request', life: undefined, atMs: arrival.atMs, run })
  }

  /** The issuer sees the payment of an invoice, in full, and reports it. */
  pay(token: string): void {
    const { issuer } = this
    const record = issuer.records.get(token)
    if (record === undefined || !('payAmount' in record.answer)) return
    const amount = parseMicros(record.answer.payAmount)
    const payment = { token, companyId: record.companyId, number: 0, amount, paidAtMs: this.#time.nowMs }
    this.#report(recordPayment(this.#time, issuer, payment), EVENT_DELAY_MS)
  }

  /** Sends an event until a node takes it. */
  #report(body: string, afterMs: number): void {
    const run = async () => {
      const headers = { 'content-type': 'application/json', ...signEvent(this.#time, body, ISSUER_SECRET) }
      const status = await this.#send({ method: 'POST', path: EVENTS_PATH, headers, body })
      if (status !== 200) this.#report(body, EVENT_RETRY_MS)
    }
    this.#time.add({ label: 'event of the issuer', life: undefined, atMs: this.#time.nowMs + afterMs, run })
  }
}

/** A change of a card has no amount; its answer is then about another token. */
function damageOf(outcome: Outcome, { body = '{}' }: Outgoing): Damage {
  const damage = DAMAGES[outcome] ?? 'none'
  return damage === 'amount' && !('amount' in (JSON.parse(body) as object)) ? 'token' : damage
}
