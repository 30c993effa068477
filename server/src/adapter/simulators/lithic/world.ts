// What the simulated Lithic has: holders, cards, accounts with money, transfers, payments and events, all in memory. Amounts are in cents.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import * as kit from '../kit/behaviour.ts'

export interface Account {
  total: bigint
  /** For authorised payments that have not been presented. */
  held: bigint
}

export interface SimulatedHolder {
  readonly token: string
  readonly accountToken: string
  readonly created: Date
  readonly request: Readonly<Record<string, unknown>>
  status: string
}

export type CardState = 'CLOSED' | 'OPEN' | 'PAUSED' | 'PENDING_ACTIVATION' | 'PENDING_FULFILLMENT'

export interface SimulatedCard {
  readonly token: string
  readonly accountToken: string
  readonly created: Date
  readonly type: 'VIRTUAL' | 'PHYSICAL'
  readonly pan: string
  readonly cvv: string
  readonly programToken: string
  readonly productId: string | null
  memo: string
  state: CardState
  substatus: string | null
  /** 0 is no limit. */
  limit: bigint
  duration: string
  /** What was authorised or presented and not given back: what counts against the limit. */
  spent: bigint
}

export interface SimulatedTransfer {
  readonly token: string
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly created: Date
  readonly request: string
  readonly memo: string
  readonly category: string
  readonly type: string
  readonly subtype: string
  updated: Date
  status: 'SETTLED' | 'DECLINED' | 'REVERSED'
}

export interface Movement {
  readonly token: string
  readonly type: string
  readonly result: string
  readonly polarity: 'CREDIT' | 'DEBIT'
  readonly amount: bigint
  readonly merchantAmount: bigint
  /** Whether money moved. */
  readonly isFinancial: boolean
  readonly created: Date
}

export interface Payment {
  readonly token: string
  readonly card: SimulatedCard
  readonly created: Date
  readonly currency: string
  readonly mcc: string
  readonly descriptor: string
  readonly country: string
  readonly movements: Movement[]
  updated: Date
  status: 'DECLINED' | 'EXPIRED' | 'PENDING' | 'SETTLED' | 'VOIDED'
  hold: bigint
  settled: bigint
}

export interface SimulatedEvent {
  readonly token: string
  readonly type: string
  readonly created: Date
  readonly payload: object
}

/** The answer to the first request with a key. */
export interface KeptAnswer {
  readonly request: string
  readonly token: string
}

export interface World {
  readonly clock: Clock
  /** Whether the programme lets cards have money of their own. Otherwise the funding account pays. */
  readonly mode: 'balance' | 'limit'
  readonly fundingAccount: string
  readonly accounts: Map<string, Account>
  readonly holders: SimulatedHolder[]
  readonly cards: Map<string, SimulatedCard>
  readonly transfers: Map<string, SimulatedTransfer>
  readonly payments: Map<string, Payment>
  readonly events: SimulatedEvent[]
  readonly keys: Map<string, KeptAnswer>
  readonly eventSettings: kit.EventSettings<SimulatedEvent>
  newToken(): string
}

export const PROGRAM_TOKEN = '00000000-0000-0000-1000-000000000000'

export interface WorldOptions {
  readonly clock: Clock
  readonly mode: 'balance' | 'limit'
  readonly fundingAccount: string
  /** What the funding account has at first, in cents. */
  readonly float: bigint
}

export function createWorld({ clock, mode, fundingAccount, float }: WorldOptions): World {
  let made = 0
  return {
    clock,
    mode,
    fundingAccount,
    accounts: new Map([[fundingAccount, { total: float, held: 0n }]]),
    holders: [],
    cards: new Map(),
    transfers: new Map(),
    payments: new Map(),
    events: [],
    keys: new Map(),
    eventSettings: kit.createEventSettings(),
    newToken() {
      made += 1
      const hex = createHash('sha256').update(`simulated lithic ${made}`).digest('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    },
  }
}

export function addEvent(world: World, type: string, payload: object): void {
  kit.addEvent(world, () => ({
    token: `msg_${world.newToken().replaceAll('-', '')}`,
    type,
    payload,
    created: world.clock.now(),
  }))
}

/** Returns the account that pays for a card. */
export function accountOf(world: World, { token }: SimulatedCard): Account {
  return requireAccount(world, world.mode === 'balance' ? token : world.fundingAccount)
}

export function requireAccount(world: World, token: string): Account {
  const account = world.accounts.get(token)
  if (account === undefined) throw new Failure(404, 'Could not find account.')
  return account
}

/** The API answers with this status, as Lithic does. */
export class Failure extends Error {
  override name = 'Failure'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
