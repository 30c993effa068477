// A simulated process of the adapter: the real kernel, whose statements, transactions and calls are steps of the scheduler. It dies before or
// after any of them, and inside transactions, is suspended, and starts again.
import { createKernelServer } from '../../../src/adapter/kernel/server.ts'
import { poll } from '../../../src/adapter/kernel/objects/poll.ts'
import { readStaleCards } from '../../../src/adapter/kernel/objects/stale-cards.ts'
import { runTasks } from '../../../src/adapter/kernel/tasks.ts'
import { eventJob } from '../../../src/adapter/outbox/outbox.ts'
import type { CardProvider } from '../../../src/adapter/provider.ts'
import type { Db } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import type { Transact } from '../../../src/db/transaction.ts'
import type { Transmit } from '../../../src/issuer/http/transmit.ts'
import type { ProtocolServer } from '../../../src/issuer/http/routes.ts'
import type { Random } from '../world/random.ts'
import type { Plant } from './plants.ts'
import type { Place, Scheduler } from './scheduler.ts'

export const SECRET = 'the-secret-of-the-simulation'
/** A server waits for an answer this many times, and then hangs up. */
const PAUSES_MAX = 4
const CRASH_SHARE = 0.006
/** Most of what can go wrong, goes wrong around a call to the bank. */
const CRASH_AT_SEND_SHARE = 0.06
const CRASH_IN_TRANSACTION_SHARE = 0.03
const SUSPEND_SHARE = 0.003
/** Between looking whether it is the first and storing that it sends. */
const SUSPEND_AT_BEGIN_SHARE = 0.15
/** Longer than a lease. */
const SUSPENDED_MS_MAX = 400_000
const DOWN_MS_MAX = 200_000

export interface Outside {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly db: Db
  readonly transact: Transact
  readonly plant: Plant | undefined
  /** The bank as this process reaches it. */
  connect(place: Place): CardProvider
  transmit: Transmit
  isFaulty(): boolean
  note(what: string): void
}

export class Process {
  readonly place: Place
  #server: ProtocolServer | undefined
  readonly #outside: Outside

  constructor(name: string, outside: Outside) {
    this.place = { name, life: 0, isDown: false, suspendedUntilMs: 0 }
    this.#outside = outside
    this.#boot()
  }

  /** Undefined while it is down. */
  get server(): ProtocolServer | undefined {
    return this.place.isDown ? undefined : this.#server
  }

  /** Decides before each of its steps whether it dies there. */
  before(what: string): boolean | 'later' {
    const { random, scheduler, isFaulty, note } = this.#outside
    if (!isFaulty()) return false
    if (random.chance(what.endsWith('.begin_step') ? SUSPEND_AT_BEGIN_SHARE : SUSPEND_SHARE)) {
      note('suspended')
      this.place.suspendedUntilMs = scheduler.nowMs + random.between(1_000, SUSPENDED_MS_MAX)
      return 'later'
    }
    return this.#maybeDie(what, 'before')
  }

  after(what: string): boolean {
    return this.#outside.isFaulty() && this.#maybeDie(what, 'after')
  }

  #maybeDie(what: string, when: string): boolean {
    const { random, note } = this.#outside
    const isSend = what.startsWith('send ')
    if (!random.chance(isSend ? CRASH_AT_SEND_SHARE : CRASH_SHARE)) return false
    note(`died ${when} ${isSend ? 'a call' : 'a statement'}`)
    this.die()
    return true
  }

  die(): void {
    const { scheduler, random } = this.#outside
    this.place.life += 1
    this.place.isDown = true
    scheduler.spawn(async () => {
      await scheduler.sleep(random.between(100, DOWN_MS_MAX))
      this.place.isDown = false
      this.place.suspendedUntilMs = 0
      this.#boot()
    })
  }

  #boot(): void {
    const { scheduler, connect, plant } = this.#outside
    const { place } = this
    const { clock } = scheduler
    const connected = connect(place)
    const provider = plant?.provider?.(connected) ?? connected
    const deps = { db: this.#db(), transact: this.#transact(), clock, provider }
    let pauses = 0
    const pause = async (ms: number) => {
      pauses += 1
      if (pauses % PAUSES_MAX === 0) throw new Error('the server has hung up')
      await scheduler.sleep(ms, place)
    }
    this.#server = createKernelServer({ ...deps, makeInvoice: undefined, invoiceMinimum: '1.00', pause })
    const peer = { baseUrl: 'http://server', secret: SECRET, timeoutMs: 10_000, clock, transmit: this.#transmit() }
    const events = eventJob({
      db: deps.db,
      clock,
      findServer: () => peer,
      notice: { undelivered: () => {}, delivered: () => {} },
    })
    this.#loop([500, 5_000, 30_000], () => runTasks(deps))
    this.#loop([20_000, 90_000], () => poll({ ...deps, identity: 'bank' }))
    this.#loop([30_000, 120_000], () => readStaleCards(deps))
    this.#loop([2_000, 40_000], () => events.run())
  }

  #loop(pausesMs: readonly number[], run: () => Promise<boolean>): void {
    const { scheduler, random } = this.#outside
    const { place } = this
    const { life } = place
    scheduler.spawn(async () => {
      while (place.life === life) {
        await scheduler.sleep(random.pick(pausesMs), place)
        // As in the real loop, what fails is tried again later.
        await run().catch(() => false)
      }
    })
  }

  #transmit(): Transmit {
    return (outgoing) => this.#outside.scheduler.step(this.place, 'event', () => this.#outside.transmit(outgoing))
  }

  #db(): Db {
    const { db, scheduler } = this.#outside
    const around =
      <Result>(call: (statement: Statement) => Promise<Result>) =>
      (statement: Statement) =>
        scheduler.step(this.place, nameOf(statement), () => call(this.#planted(statement)))
    return { many: around(db.many), find: around(db.find), run: around(db.run) } as Db
  }

  /** One step: it holds locks, so nobody else may wait for it. */
  #transact(): Transact {
    const { transact, scheduler, random, isFaulty, note } = this.#outside
    return (use) =>
      scheduler.step(this.place, 'transaction', async () => {
        const diesAt = isFaulty() && random.chance(CRASH_IN_TRANSACTION_SHARE) ? random.between(1, 3) : 0
        let count = 0
        const inside = (tx: Db): Db => {
          const around =
            <Result>(call: (statement: Statement) => Promise<Result>) =>
            (statement: Statement) => {
              count += 1
              if (count === diesAt) throw new Error('died inside a transaction')
              return call(this.#planted(statement))
            }
          return { many: around(tx.many), find: around(tx.find), run: around(tx.run) } as Db
        }
        try {
          return await transact((tx) => use(inside(tx)))
        } catch (error) {
          if (count !== diesAt || diesAt === 0) throw error
          note('died inside a transaction')
          this.die()
          throw error
        }
      })
  }

  #planted(statement: Statement): Statement {
    const { statements = [] } = this.#outside.plant ?? {}
    const changed = statements.reduce((text, { find, replace }) => text.replace(find, () => replace), statement.text)
    return changed === statement.text ? statement : { ...statement, name: undefined, text: changed }
  }
}

function nameOf({ text }: Statement): string {
  return /issuer_adapter\.\w+/.exec(text)?.[0] ?? 'statement'
}
