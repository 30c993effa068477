// The way to the issuer in the properties. What becomes of a request is chosen by the cents of its amount, so that the choice travels
// with the operation.
import type { RequestBody } from '../../src/issuer/http/protocol.ts'
import type { Outgoing, Transmitted } from '../../src/issuer/http/transmit.ts'
import { parseCents } from '../../src/lib/money.ts'
import { tokenOf, WorldIssuer } from '../proof/world/issuer.ts'
import type { VirtualTime } from '../proof/world/time.ts'

export const PLANS = [
  'confirm',
  'decline',
  'unsent once',
  'unsent',
  'unknown, done',
  'unknown, declined',
  'unknown for ever',
  'done, then breaks',
  'done, malformed answer',
  'done, found late',
] as const
export type Plan = (typeof PLANS)[number]

export const amountOf = (plan: Plan) => 1000n + BigInt(PLANS.indexOf(plan))
export const planOf = (amount: bigint): Plan => PLANS[Number(amount - 1000n)] ?? 'confirm'
const planFor = (body: RequestBody): Plan => ('amount' in body ? planOf(parseCents(body.amount)) : 'confirm')

/** Less than the pause between two look-ups: the first may miss what the second finds. */
const LOOK_UP_LAG_MS = 30_000

export class Wire {
  readonly issuer: WorldIssuer
  /** How often a connection was refused, by token. */
  readonly unsent = new Map<string, number>()
  readonly violations: string[] = []

  constructor(time: VirtualTime) {
    const refuses = (body: RequestBody) => ['decline', 'unknown, declined'].includes(planFor(body))
    this.issuer = new WorldIssuer(time, { refuses, lookUpLagMs: LOOK_UP_LAG_MS })
  }

  requestsOf(token: string): number {
    return this.issuer.requests.filter((request) => request.token === token).length
  }

  hasDeclined(token: string): boolean {
    return this.issuer.records.get(token)?.answer.outcome === 'refused'
  }

  transmit = async (outgoing: Outgoing): Promise<Transmitted> => {
    const { issuer } = this
    issuer.check(outgoing)
    if (outgoing.method !== 'PUT') return issuer.answer(outgoing, issuer.take(outgoing))
    const token = tokenOf(outgoing)
    const plan = planFor(JSON.parse(outgoing.body ?? '{}') as RequestBody)
    if (this.requestsOf(token) > 0) this.violations.push(`${plan}: what may have been sent was sent again`)
    const unsent = this.unsent.get(token) ?? 0
    if (plan === 'unsent' || (plan === 'unsent once' && unsent === 0)) {
      this.unsent.set(token, unsent + 1)
      return { kind: 'not_sent', reason: 'refused connection' }
    }
    const answer = plan === 'unknown for ever' ? void issuer.note(outgoing) : issuer.take(outgoing)
    // Other work happens while the issuer works.
    await new Promise((resolve) => setImmediate(resolve))
    if (plan === 'done, then breaks') throw new Error('socket hang up \u0000')
    const isLost = plan.startsWith('unknown') || plan === 'done, found late'
    return issuer.answer(outgoing, answer, isLost ? 'garbage' : 'none')
  }
}
