// The simulated live issuer, behind a bad network: it carries a request out and loses the answer, refuses, answers garbage or
// hours late, hides fresh records from look-ups, and reports outcomes by events, late, twice and in any order. It keeps its
// promises: a token is carried out at most once, and never after a fence.
import {
  type FenceAnswer,
  type RequestAnswer,
  type RequestBody,
  SIGNATURE_HEADER,
} from '../../../src/issuer/http/protocol.ts'
import { sign } from '../../../src/issuer/http/signature.ts'
import type { Outgoing, Transmit, Transmitted } from '../../../src/issuer/http/transmit.ts'
import { findId } from '../../../src/lib/ids.ts'
import { formatCents, parseCents } from '../../../src/lib/money.ts'
import { makeUnownedAddress } from '../../../src/tron/address.ts'
import { formatMicros, type Micros } from '../../../src/tron/usdt.ts'
import type { IssuerBook } from '../judge/evidence.ts'
import { findHalfFault, UnknownCount } from './half-faults.ts'
import { reportOutcome, reportPayments } from './issuer-reports.ts'
import type { HalfFault } from './options.ts'
import type { Life } from './scheduler.ts'
import type { World } from './world.ts'

export const ISSUER_SECRET = 'a-secret-that-only-the-two-of-them-know'
const HOUR_MS = 3_600_000
const INVOICE_LIFETIME_MS = HOUR_MS
const ADDRESS = makeUnownedAddress('simulated issuer')

export interface IssuerRecord {
  readonly token: string
  readonly companyId: string
  readonly body: RequestBody
  readonly answer: RequestAnswer
  /** From when look-ups see it. */
  readonly visibleAtMs: number
}

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] }
type Row<Name extends keyof IssuerBook> = NonNullable<IssuerBook[Name]> extends readonly (infer Item)[] ? Item : never

export class SimIssuer {
  readonly records = new Map<string, IssuerRecord>()
  readonly requests: Row<'requests'>[] = []
  readonly effects: Row<'effects'>[] = []
  readonly payments: Mutable<Row<'payments'>>[] = []
  /** The requests of each process, for the limit of unknown outcomes. */
  readonly unknown: UnknownCount
  readonly #fenced = new Set<string>()
  readonly #world: World
  #tails = 0

  constructor(world: World) {
    this.#world = world
    this.unknown = new UnknownCount(world)
  }

  book(): IssuerBook {
    return { environment: 'live', requests: this.requests, effects: this.effects, payments: this.payments }
  }

  /** The network between a node and the issuer. */
  transmitOf(life: Life): Transmit {
    return (outgoing) =>
      new Promise((resolve) => {
        const { scheduler } = this.#world
        const what = outgoing.method === 'PUT' ? 'a request' : 'a look-up'
        const death = this.#world.dieAt(life, what)
        if (death === 'before') return
        const end = this.unknown.begin(life, outgoing)
        const settle = this.#answerTo(life, outgoing, (transmitted) => {
          end(transmitted)
          resolve(transmitted)
        })
        const half = findHalfFault(this.#world, life, outgoing)
        if (half !== undefined) return this.#failHalf(half, outgoing, settle)
        const trouble = this.#networkTrouble()
        if (trouble === 'unreachable') return settle({ kind: 'not_sent', reason: 'ECONNREFUSED' }, 5)
        if (trouble !== 'lost') {
          const atMs = scheduler.nowMs + this.#delayMs(trouble, outgoing)
          const arrive = () => this.#arrive(outgoing, settle)
          scheduler.add({ label: `issuer receives ${outgoing.method}`, life: undefined, atMs, run: arrive })
        }
        if (death === 'after') this.#world.crash(life, `after ${what}`)
      })
  }

  /** Gives the node the first of the answer and the end of its patience. */
  #answerTo(life: Life, { timeoutMs }: Outgoing, resolve: (transmitted: Transmitted) => void) {
    const { scheduler } = this.#world
    const settle = (transmitted: Transmitted, afterMs: number) => {
      const atMs = scheduler.nowMs + afterMs
      const run = async () => {
        scheduler.remove(timeout)
        await scheduler.enter(life, () => resolve(transmitted))
      }
      if (life.isAlive) scheduler.add({ label: `issuer's answer: ${transmitted.kind}`, life, atMs, run })
    }
    const giveUp = () => scheduler.enter(life, () => resolve({ kind: 'unknown', reason: 'no answer in time' }))
    const atMs = scheduler.nowMs + timeoutMs
    const timeout = scheduler.add({ label: 'no answer of the issuer', life, atMs, run: giveUp })
    return settle
  }

  /** The request may have been carried out all the same, and an event may tell of it. */
  #failHalf(
    { path, manner }: HalfFault,
    outgoing: Outgoing,
    settle: (transmitted: Transmitted, afterMs: number) => void,
  ): void {
    const { random, scheduler } = this.#world
    this.#world.count(`half a fault: ${path}, ${manner}`)
    const arrives = path === 'answers' || random.issuer.chance(0.5)
    const arrive = () => {
      if (arrives) this.#carryOut(outgoing.path.split('/')[3] ?? '', outgoing)
      if (manner === 'silence') return
      const answer = { status: 500, body: '{}' }
      const headers = { [SIGNATURE_HEADER]: this.#signature(outgoing, answer, true) }
      settle({ kind: 'answered', headers, ...answer }, random.issuer.between(1, 300))
    }
    const atMs = scheduler.nowMs + random.issuer.between(1, 400)
    scheduler.add({ label: `issuer receives ${outgoing.method}`, life: undefined, atMs, run: arrive })
  }

  #networkTrouble() {
    const { isCalm, random, options } = this.#world
    if (isCalm || !random.issuer.chance(options.issuerTroubleRate)) return 'none'
    const trouble = random.issuer.weighted({ none: 4, unreachable: 2, lost: 1, late: 1, hours: 1 })
    if (trouble !== 'none') this.#world.count(`network to the issuer: ${trouble}`)
    return trouble
  }

  #delayMs(trouble: 'none' | 'late' | 'hours', { timeoutMs }: Outgoing): number {
    const { issuer } = this.#world.random
    if (trouble === 'hours') return issuer.between(HOUR_MS / 2, 6 * HOUR_MS)
    if (trouble === 'late') return issuer.between(Math.round(timeoutMs / 2), timeoutMs * 2)
    return issuer.between(1, 400)
  }

  #arrive(outgoing: Outgoing, settle: (transmitted: Transmitted, afterMs: number) => void): void {
    const { isCalm, random, options } = this.#world
    const token = outgoing.path.split('/')[3] ?? ''
    const answer = this.#carryOut(token, outgoing)
    const isTroubled = !isCalm && random.issuer.chance(options.issuerTroubleRate)
    const weights = { lost: 3, error: 1, garbage: 1, amount: 1, token: 1, unsigned: 1, late: 1 }
    const trouble = isTroubled ? random.issuer.weighted(weights) : 'none'
    if (trouble !== 'none') this.#world.count(`answer of the issuer: ${trouble}`)
    if (trouble === 'lost') return
    const isSigned = trouble !== 'unsigned'
    const { status, body } = spoil(trouble, token, answer)
    const headers = { [SIGNATURE_HEADER]: this.#signature(outgoing, { status, body }, isSigned) }
    const delayMs = trouble === 'late' ? random.issuer.between(1_000, 60_000) : random.issuer.between(1, 300)
    settle({ kind: 'answered', status, headers, body }, delayMs)
  }

  #signature({ headers }: Outgoing, { status, body }: { status: number; body: string }, isSigned: boolean): string {
    const asked = headers[SIGNATURE_HEADER] ?? ''
    const answers = asked.slice(asked.indexOf('v1=') + 3)
    const isTrusted = isSigned || this.#world.plant?.parts?.trustsEveryAnswer === true
    const secret = isTrusted ? ISSUER_SECRET : 'a-secret-of-somebody-else-entirely'
    return sign(secret, this.#world.now(), { direction: 'answer', status, answers, body })
  }

  #carryOut(token: string, { method, path, body }: Outgoing): FenceAnswer | undefined {
    const world = this.#world
    const known = this.records.get(token)
    if (method === 'PUT') return this.#perform(token, JSON.parse(body ?? '{}') as RequestBody)
    if (path.endsWith('/fence')) {
      if (known !== undefined) return known.answer
      world.count('fence set: nothing was carried out')
      this.#fenced.add(token)
      return { token, outcome: 'absent' }
    }
    if (known !== undefined && known.visibleAtMs <= world.scheduler.nowMs) return known.answer
    world.count(known === undefined ? 'look-up found nothing' : 'look-up did not see a fresh record')
    return undefined
  }

  #perform(token: string, body: RequestBody): RequestAnswer {
    const { scheduler, random, options, plant } = this.#world
    const companyId = findId('co', body.companyId) ?? ''
    const amount = 'amount' in body ? parseCents(body.amount) : undefined
    this.requests.push({ token, companyId, amount, atMs: scheduler.nowMs })
    const known = this.records.get(token)
    if (known !== undefined) return known.answer
    const isFenced = this.#fenced.has(token) && plant?.parts?.brokenFence !== true
    if (isFenced) this.#world.count('fence refused a late request')
    const isRefused = isFenced || random.issuer.chance(0.12)
    const answer = isRefused ? refuse(token, body.kind, isFenced ? 'fenced' : 'declined') : this.#done(token, body)
    if (!isRefused) this.effects.push({ token, amount })
    const visibleAtMs = scheduler.nowMs + options.lookUpLagMs
    const record = { token, companyId, body, answer, visibleAtMs }
    this.records.set(token, record)
    if (body.kind === 'invoice') reportPayments(this.#world, record)
    else reportOutcome(this.#world, record)
    return answer
  }

  #done(token: string, body: RequestBody): RequestAnswer {
    const { scheduler } = this.#world
    const receipt = `sim_${token.slice(-12)}`
    switch (body.kind) {
      case 'issue':
        return {
          token,
          kind: body.kind,
          outcome: 'done',
          amount: body.amount,
          receipt,
          last4: String(1000 + (this.records.size % 9000)),
        }
      case 'topup':
      case 'service':
        return { token, kind: body.kind, outcome: 'done', amount: body.amount, receipt }
      case 'card_status':
        return { token, kind: body.kind, outcome: 'done', receipt }
      case 'invoice': {
        this.#tails += 1
        const micros = (parseCents(body.amount) * 10_000n + BigInt(this.#tails)) as Micros
        const expiresAt = new Date(scheduler.nowMs + INVOICE_LIFETIME_MS).toISOString()
        return {
          token,
          kind: 'invoice',
          outcome: 'done',
          amount: formatCents(parseCents(body.amount)),
          address: ADDRESS,
          payAmount: formatMicros(micros),
          expiresAt,
        }
      }
    }
  }
}

function refuse(token: string, kind: RequestBody['kind'], code: string): RequestAnswer {
  return { token, kind, outcome: 'refused', code, message: 'The issuer refused the request.' }
}

/** What arrives instead of the answer. Whoever answers without the secret lies: it says the opposite. */
function spoil(trouble: string, token: string, answer: FenceAnswer | undefined): { status: number; body: string } {
  const status = answer === undefined ? 404 : 200
  switch (trouble) {
    case 'error':
      return { status: 500, body: '{}' }
    case 'garbage':
      return { status, body: '{"outcome": "done", \u0000' }
    case 'amount':
      return { status, body: JSON.stringify({ ...answer, amount: '1234.56' }) }
    case 'token':
      return { status, body: JSON.stringify({ ...answer, token: '00000000-0000-7000-8000-000000000000' }) }
    case 'unsigned': {
      const kind = answer !== undefined && 'kind' in answer ? answer.kind : 'service'
      return { status: 200, body: JSON.stringify(refuse(token, kind, 'forged')) }
    }
    default:
      return { status, body: JSON.stringify(answer ?? { code: 'not_found' }) }
  }
}
