// What the simulated Stripe keeps, all in memory: cardholders, cards, authorizations, transactions, the balance, events and idempotency keys.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import * as kit from '../kit/behaviour.ts'

export interface SimulatedHolder {
  readonly id: string
  readonly created: number
  /** What was sent, as nested fields. */
  readonly request: Fields
  status: 'active' | 'inactive' | 'blocked'
  disabledReason: string | null
  pastDue: string[]
}

/** A form whose brackets were resolved. */
export interface Fields {
  readonly [name: string]: string | Fields | readonly (string | Fields)[]
}

export interface SimulatedLimit {
  readonly amount: bigint
  readonly interval: string
}

export interface SimulatedCard {
  readonly id: string
  readonly cardholder: SimulatedHolder
  readonly created: number
  readonly last4: string
  readonly metadata: Readonly<Record<string, string>>
  status: 'active' | 'inactive' | 'canceled'
  limits: readonly SimulatedLimit[]
}

export interface Merchant {
  readonly currency: string
  readonly mcc: string
  readonly name: string
  readonly country: string
}

export interface SimulatedTransaction {
  readonly id: string
  readonly card: SimulatedCard
  readonly authorization: SimulatedAuthorization | undefined
  readonly type: 'capture' | 'refund'
  /** In cents. A capture is negative. */
  readonly amount: bigint
  readonly merchantAmount: bigint
  readonly merchant: Merchant
  readonly created: number
}

export interface SimulatedAuthorization {
  readonly id: string
  readonly card: SimulatedCard
  readonly created: number
  readonly merchant: Merchant
  readonly approved: boolean
  readonly asked: { readonly amount: bigint; readonly merchantAmount: bigint }
  /** What it holds, and what it released, as Stripe's balance transactions. */
  readonly holds: { readonly amount: bigint; readonly created: number }[]
  readonly transactions: SimulatedTransaction[]
  status: 'pending' | 'closed' | 'reversed' | 'expired'
  amount: bigint
  merchantAmount: bigint
}

export interface SimulatedEvent {
  readonly id: string
  readonly type: string
  readonly created: number
  readonly object: object
}

/** The answer to the first request with a key. */
export interface KeptAnswer {
  readonly request: string
  readonly status: number
  readonly answer: object
}

export interface World {
  readonly clock: Clock
  readonly holders: SimulatedHolder[]
  readonly cards: Map<string, SimulatedCard>
  readonly authorizations: Map<string, SimulatedAuthorization>
  readonly transactions: Map<string, SimulatedTransaction>
  readonly events: SimulatedEvent[]
  readonly keys: Map<string, KeptAnswer>
  readonly eventSettings: kit.EventSettings<SimulatedEvent>
  /** The Issuing balance, in cents, without what is held. */
  balance: bigint
  newId(prefix: string): string
  now(): number
}

export function createWorld({ clock, float }: { readonly clock: Clock; readonly float: bigint }): World {
  let made = 0
  return {
    clock,
    holders: [],
    cards: new Map(),
    authorizations: new Map(),
    transactions: new Map(),
    events: [],
    keys: new Map(),
    eventSettings: kit.createEventSettings(),
    balance: float,
    newId(prefix) {
      made += 1
      // Later ids sort after earlier ones, as at Stripe.
      const random = createHash('sha256').update(`simulated stripe ${made}`).digest('hex').slice(0, 14)
      return `${prefix}_1${made.toString(36).padStart(9, '0')}${random}`
    },
    now: () => Math.floor(clock.now().getTime() / 1000),
  }
}

export function addEvent(world: World, type: string, object: object): void {
  kit.addEvent(world, () => ({ id: world.newId('evt'), type, object, created: world.now() }))
}

/** The API answers with this status and error, as Stripe does. */
export class Failure extends Error {
  override name = 'Failure'
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  constructor(
    status: number,
    message: string,
    { type = 'invalid_request_error', code }: { type?: string; code?: string } = {},
  ) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
  }
}

export function notFound(what: string, id: string): Failure {
  return new Failure(404, `No such ${what}: '${id}'`, { code: 'resource_missing' })
}
