// The live issuer of the virtual world, as docs/issuer-protocol.md describes it. It keeps its promises: a token is carried out at
// most once, and never after a fence. What happens to messages on their way is the business of each proof.
import type { Static } from 'typebox'
import {
  type About,
  ABOUT_PATH,
  type FenceAnswer,
  REQUEST_KINDS,
  type RequestAnswer,
  type RequestBody,
  SIGNATURE_HEADER,
} from '../../../src/issuer/http/protocol.ts'
import { findForgery, sign } from '../../../src/issuer/http/signature.ts'
import type { Outgoing, Transmitted } from '../../../src/issuer/http/transmit.ts'
import { findId } from '../../../src/lib/ids.ts'
import { formatCents, parseCents } from '../../../src/lib/money.ts'
import { makeUnownedAddress } from '../../../src/tron/address.ts'
import { formatMicros } from '../../../src/tron/usdt.ts'
import type { IssuerBook } from '../judge/evidence.ts'
import type { VirtualTime } from './time.ts'

export const ISSUER_SECRET = 'a-secret-that-only-the-two-of-them-know'
export const OTHER_SECRET = 'a-secret-of-somebody-else-entirely'
/** With characters that PostgreSQL does not store. */
const REFUSAL = 'The issuer refused the request. \u0000 \ud800'
const INVOICE_LIFETIME_MS = 3_600_000
const ADDRESS = makeUnownedAddress('simulated issuer')

type IssuerAnswer = FenceAnswer | Static<typeof About>
/** Whether the server uses its fence is a setting of each proof. */
const ABOUT: Static<typeof About> = {
  protocol: '1.1',
  provider: 'virtual issuer',
  mode: 'test',
  kinds: [...REQUEST_KINDS],
  fence: false,
  invoiceMinimum: '1.00',
  cardModes: ['balance'],
}

export interface IssuerRecord {
  readonly token: string
  readonly companyId: string
  readonly body: RequestBody
  readonly answer: RequestAnswer
  /** From when look-ups see it. */
  readonly visibleAtMs: number
}

/** What arrives instead of the answer. */
export type Damage = 'none' | 'error' | 'garbage' | 'amount' | 'token' | 'unsigned'

export interface IssuerBehaviour {
  /** Decides whether it refuses a request that it has not seen before. */
  refuses(body: RequestBody): boolean
  /** How long look-ups do not see a new record. */
  readonly lookUpLagMs: number
  /** Called once for each token. */
  onRecord?(record: IssuerRecord): void
  /** Called when something rare has happened. */
  count?(what: string): void
  /** Planted bugs: the issuer breaks its promise, or its answers are believed without a signature. */
  readonly hasBrokenFence?: boolean
  readonly trustsEveryAnswer?: boolean
}

type Row<Name extends keyof IssuerBook> = NonNullable<IssuerBook[Name]> extends readonly (infer Item)[] ? Item : never

export class WorldIssuer {
  readonly records = new Map<string, IssuerRecord>()
  readonly requests: Row<'requests'>[] = []
  readonly effects: Row<'effects'>[] = []
  readonly payments: Row<'payments'>[] = []
  /** What the server did that no server may do. */
  readonly violations: string[] = []
  readonly #fenced = new Set<string>()
  readonly #time: VirtualTime
  readonly #behaviour: IssuerBehaviour
  #tails = 0
  /** A server that has not asked what the issuer can do takes it for one of protocol 1.0. */
  #isAsked = false

  constructor(time: VirtualTime, behaviour: IssuerBehaviour) {
    this.#time = time
    this.#behaviour = behaviour
  }

  book(): IssuerBook {
    return { environment: 'live', requests: this.requests, effects: this.effects, payments: this.payments }
  }

  hasDone(token: string): boolean {
    return this.records.get(token)?.answer.outcome === 'done'
  }

  /** Takes a message and carries it out. Returns the true answer, or undefined if the token is not known. */
  take(outgoing: Outgoing): IssuerAnswer | undefined {
    if (outgoing.path === ABOUT_PATH) {
      this.#isAsked = true
      return ABOUT
    }
    const token = tokenOf(outgoing)
    if (outgoing.method === 'PUT') return this.#perform(token, this.note(outgoing))
    const known = this.records.get(token)
    if (outgoing.path.endsWith('/fence')) {
      if (known !== undefined) return known.answer
      this.#behaviour.count?.('fence set: nothing was carried out')
      this.#fenced.add(token)
      return { token, outcome: 'absent' }
    }
    if (known !== undefined && known.visibleAtMs <= this.#time.nowMs) return known.answer
    this.#behaviour.count?.(known === undefined ? 'look-up found nothing' : 'look-up did not see a fresh record')
    return undefined
  }

  /** Keeps the arrival of a request, whether or not it is carried out. */
  note(outgoing: Outgoing): RequestBody {
    const body = JSON.parse(outgoing.body ?? '{}') as RequestBody
    const companyId = findId('co', body.companyId) ?? ''
    if (this.#isAsked && body.kind === 'issue' && (body.cardId === undefined || body.holder === undefined)) {
      this.violations.push('the server sent an issue without the id of the card or the holder')
    }
    const amount = 'amount' in body ? parseCents(body.amount) : undefined
    this.requests.push({ token: tokenOf(outgoing), companyId, amount, atMs: this.#time.nowMs })
    return body
  }

  /** Checks a message when it leaves the server: it may arrive when its signature is too old. */
  check({ method, path, headers, body = '' }: Outgoing): void {
    const message = { direction: 'request', method, path, body } as const
    const forgery = findForgery(ISSUER_SECRET, this.#time.now(), headers[SIGNATURE_HEADER], message)
    if (forgery !== undefined) this.violations.push(`the server sent ${method} ${path} with a ${forgery} signature`)
  }

  #perform(token: string, body: RequestBody): RequestAnswer {
    const known = this.records.get(token)
    if (known !== undefined) return known.answer
    const { refuses, lookUpLagMs, hasBrokenFence, onRecord, count } = this.#behaviour
    const isFenced = this.#fenced.has(token) && hasBrokenFence !== true
    if (isFenced) count?.('fence refused a late request')
    const isRefused = isFenced || refuses(body)
    const answer = isRefused ? refuse(token, body.kind, isFenced ? 'fenced' : 'declined') : this.#done(token, body)
    const { companyId = '', amount } = this.requests.at(-1) ?? {}
    if (!isRefused) this.effects.push({ token, amount })
    const record = { token, companyId, body, answer, visibleAtMs: this.#time.nowMs + lookUpLagMs }
    this.records.set(token, record)
    onRecord?.(record)
    return answer
  }

  /** Puts the answer on its way, true or damaged. */
  answer(outgoing: Outgoing, answer: IssuerAnswer | undefined, damage: Damage = 'none'): Transmitted {
    const { status, body } = spoil(damage, tokenOf(outgoing), answer)
    const isTrusted = damage !== 'unsigned' || this.#behaviour.trustsEveryAnswer === true
    const asked = outgoing.headers[SIGNATURE_HEADER] ?? ''
    const answers = asked.slice(asked.indexOf('v1=') + 3)
    const secret = isTrusted ? ISSUER_SECRET : OTHER_SECRET
    const signature = sign(secret, this.#time.now(), { direction: 'answer', status, answers, body })
    return { kind: 'answered', status, headers: { [SIGNATURE_HEADER]: signature }, body }
  }

  #done(token: string, body: RequestBody): RequestAnswer {
    const receipt = `sim_${token.slice(-12)}`
    switch (body.kind) {
      case 'issue': {
        const last4 = String(1000 + (this.records.size % 9000))
        return { token, kind: body.kind, outcome: 'done', amount: body.amount, receipt, last4 }
      }
      case 'topup':
      case 'service':
        return { token, kind: body.kind, outcome: 'done', amount: body.amount, receipt }
      case 'card_status':
        return { token, kind: body.kind, outcome: 'done', receipt }
      case 'invoice': {
        this.#tails += 1
        const amount = parseCents(body.amount)
        const payAmount = formatMicros(amount * 10_000n + BigInt(this.#tails))
        const expiresAt = new Date(this.#time.nowMs + INVOICE_LIFETIME_MS).toISOString()
        const shared = { token, kind: body.kind, outcome: 'done' } as const
        return { ...shared, amount: formatCents(amount), address: ADDRESS, payAmount, expiresAt }
      }
    }
  }
}

/** Every path of a request begins with /v1/requests/ and the token. */
export function tokenOf({ path }: Outgoing): string {
  return path.split('/')[3] ?? ''
}

function refuse(token: string, kind: RequestBody['kind'], code: string): RequestAnswer {
  return { token, kind, outcome: 'refused', code, message: REFUSAL }
}

/** Whoever answers without the secret lies: it says the opposite. */
function spoil(damage: Damage, token: string, answer: IssuerAnswer | undefined): { status: number; body: string } {
  const status = answer === undefined ? 404 : 200
  switch (damage) {
    case 'error':
      return { status: 500, body: '{}' }
    case 'garbage':
      return { status, body: '{"outcome": "done", \u0000 \udc00' }
    case 'amount':
      return { status, body: JSON.stringify({ ...answer, amount: '1234.56' }) }
    case 'token':
      return { status, body: JSON.stringify({ ...answer, token: '00000000-0000-7000-8000-000000000000' }) }
    case 'unsigned': {
      const kind = answer !== undefined && 'kind' in answer ? answer.kind : 'service'
      return { status: 200, body: JSON.stringify(refuse(token, kind, 'forged')) }
    }
    case 'none':
      return { status, body: JSON.stringify(answer ?? { code: 'not_found' }) }
  }
}
