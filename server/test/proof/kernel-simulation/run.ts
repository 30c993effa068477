// Runs one seed: two processes of the adapter on one database, orders, payments and decisions under faults, then quiet, then the judge.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { countOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { findCursor } from '../../../src/adapter/kernel/objects/queries.ts'
import { countEvents } from '../../../src/adapter/outbox/queries.ts'
import { createRecords, createTables } from '../../../src/adapter/records/tables.ts'
import { type Connection, createPool, type Pool } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import { createTransactions, type Transactions } from '../../../src/db/transaction.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { Bank } from '../../adapter/kernel/bank.ts'
import { createExampleProvider } from '../../adapter/kernel/example-provider.ts'
import { createRandom, type Random } from '../world/random.ts'
import { findViolations } from './judge.ts'
import { Network } from './network.ts'
import { decideWaiting, Server } from './people.ts'
import type { Plant } from './plants.ts'
import { type Outside, Process } from './process.ts'
import { Scheduler } from './scheduler.ts'

const COMPANY = formatId('co', '019cd79e-4600-7000-a1b2-c3d4e5f60718')
const CUSTOMERS = 2
/** Cards that a customer orders until there is one. */
const ISSUES_MAX = 3
/** Faults stop after this much virtual time, or when every order has ended. */
const FAULTY_MS = 4 * 3_600_000
/** Everything must come to rest within this much virtual time after that. */
const REST_MS_MAX = 48 * 3_600_000

export interface KernelSeedResult {
  readonly seed: number
  readonly violations: readonly string[]
  /** The same for the same course. */
  readonly digest: string
  readonly steps: number
  /** How often each rare thing happened. */
  readonly counts: ReadonlyMap<string, number>
}

/** The database of the simulated adapter. */
export class KernelDatabase {
  readonly db: Pool
  readonly transactions: Transactions

  constructor(connection: Connection) {
    this.db = createPool(connection, { size: 2, onError: () => {} })
    this.transactions = createTransactions(connection, { size: 2, onError: () => {} })
  }

  /** No records, and the functions with the planted bug. */
  async clear(plant: Plant | undefined): Promise<void> {
    await createRecords(this.db)
    await createTables(this.db, 'kernel.sql')
    for (const text of patched(plant)) await this.db.run({ name: undefined, text, values: [] })
    await this.db.run(
      sql`truncate issuer_adapter.request, issuer_adapter.subject, issuer_adapter.object, issuer_adapter.event, issuer_adapter.stray_event, issuer_adapter.card_payment, issuer_adapter.cursor cascade`,
    )
  }

  async close(): Promise<void> {
    await this.transactions.close()
    await this.db.close()
  }
}

const KERNEL = new URL('../../../sql/adapter/kernel.sql', import.meta.url)

/** Throws if a text that a plant replaces is no longer there exactly once. */
export function patched({ name, sql: patches = [] }: Plant = { name: '' }): string[] {
  if (patches.length === 0) return []
  let text = readFileSync(KERNEL, 'utf8')
  for (const { find, replace } of patches) {
    const count = text.split(find).length - 1
    if (count !== 1) throw new Error(`The plant "${name}" replaces a text that occurs ${count} times: ${find}`)
    text = text.replace(find, () => replace)
  }
  return [text]
}

export async function runKernelSeed(database: KernelDatabase, seed: number, plant?: Plant): Promise<KernelSeedResult> {
  await database.clear(plant)
  const scheduler = new Scheduler(createRandom(seed, 'scheduler'))
  const random = createRandom(seed, 'world')
  const network = new Network(createRandom(seed, 'network'), scheduler)
  const bank = new Bank()
  const provider = createExampleProvider(bank)
  const counts = new Map<string, number>()
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  const processes: Process[] = []
  const { db } = database
  const { transact } = database.transactions
  const server = new Server({ scheduler, random, network, processes })
  const outside: Outside = {
    scheduler,
    random,
    db,
    transact,
    plant,
    connect: (place) => network.connect(provider, place),
    transmit: server.receive,
    isFaulty: () => network.isFaulty,
    note,
  }
  for (const name of ['one', 'two']) processes.push(new Process(name, outside))
  const processOf = (place: Process['place']) => processes.find((process) => process.place === place)
  scheduler.beforeStep = (what, place) => processOf(place)?.before(what) ?? false
  scheduler.afterStep = (what, place) => processOf(place)?.after(what) ?? false

  const course = { customersLeft: CUSTOMERS, isQuiet: false, isOver: false }
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    scheduler.spawn(async () => {
      await serveCustomer({ scheduler, random, server })
      course.customersLeft -= 1
    })
  }
  const person = { scheduler, random, network, processes, db, transact, provider }
  scheduler.spawn(async () => {
    while (!course.isOver) {
      await scheduler.sleep(random.between(60_000, 600_000))
      await outsideStep(scheduler, () => decideWaiting(person))
    }
  })
  scheduler.spawn(async () => {
    while (network.isFaulty) {
      await scheduler.sleep(random.between(60_000, 600_000))
      const card = [...bank.cards.values()].find(({ status, balance }) => status === 'active' && balance > 5_00n)
      if (card !== undefined) bank.pay(card.id, BigInt(random.between(1, 500)))
    }
  })
  const violations: string[] = []
  scheduler.spawn(async () => {
    while (course.customersLeft > 0 && scheduler.nowMs - scheduler.startMs < FAULTY_MS) await scheduler.sleep(60_000)
    network.isFaulty = false
    const quietSinceMs = scheduler.nowMs
    const look = async () => {
      course.isQuiet = course.customersLeft === 0 && (await isAtRest(db, bank))
    }
    for (await outsideStep(scheduler, look); !course.isQuiet; await outsideStep(scheduler, look)) {
      if (scheduler.nowMs - quietSinceMs > REST_MS_MAX) {
        violations.push('it did not come to rest')
        break
      }
      await scheduler.sleep(60_000)
    }
    course.isOver = true
  })
  await scheduler.run(() => course.isOver).catch((error: unknown) => violations.push(String(error)))
  violations.push(...(await findViolations({ db, bank, provider, network, server })))
  for (const { fate } of network.calls) note(`a call was ${fate}`)
  for (const { answers } of server.requests.values()) note(`an order was ${answers[0]?.outcome ?? 'open'}`)
  for (const each of network.repeats.values())
    for (let count = 0; count < each; count += 1) note('sent again by a person')
  const digest = createHash('sha256').update(scheduler.trace.join('\n')).digest('hex')
  return { seed, violations, digest, steps: scheduler.steps, counts }
}

/** What people do on the side happens while nobody else takes a step. */
function outsideStep(scheduler: Scheduler, act: () => Promise<void>): Promise<void> {
  return scheduler.step({ name: 'people', life: 0, isDown: false, suspendedUntilMs: 0 }, 'look', act)
}

async function isAtRest(db: Pool, bank: Bank): Promise<boolean> {
  const open = await countOpen(db)
  const events = await countEvents(db)
  const cursor = await findCursor(db)
  return open?.open === 0 && events?.waiting === 0 && cursor?.value === String(bank.events.length)
}

interface CustomerDeps {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly server: Server
}

/** Gets a card, and then uses it: top-ups, freezes and a close, some of them at the same time. */
async function serveCustomer(deps: CustomerDeps): Promise<void> {
  const { scheduler, random, server } = deps
  await scheduler.sleep(random.below(60_000))
  const cardId = await getCard(deps)
  if (cardId === undefined) return
  const card = { companyId: COMPANY, productId: 'prod_card_virtual', cardId }
  const topUp = () => server.order(uuidOf(random), { kind: 'topup', ...card, amount: `${random.between(1, 30)}.00` })
  const change = (status: 'active' | 'frozen' | 'closed') =>
    server.order(uuidOf(random), { kind: 'card_status', companyId: COMPANY, cardId, status })
  await Promise.all([topUp(), topUp(), change('frozen')])
  await change('active')
  await Promise.all([random.chance(0.7) ? change('closed') : undefined, topUp()])
}

async function getCard({ random, server }: CustomerDeps): Promise<string | undefined> {
  // The customers share a holder.
  const holderId = formatId('hld', '019cd79e-4600-7000-a1b2-000000000000')
  const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' } as const
  for (let tries = 0; tries < ISSUES_MAX; tries += 1) {
    const cardId = formatId('card', uuidOf(random))
    const card = { companyId: COMPANY, productId: 'prod_card_virtual', cardId }
    const body = { kind: 'issue', ...card, amount: '50.00', holderId, name: 'Travel', holder } as const
    if ((await server.order(uuidOf(random), body)).outcome === 'done') return cardId
  }
  return undefined
}

function uuidOf(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
