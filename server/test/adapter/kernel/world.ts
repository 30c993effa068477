// The kernel on a database of its own, with the bank in bank.ts and a clock that the test moves. It can be killed before and after each
// statement, each transaction and each call to the bank, and started again.
import { randomUUID } from 'node:crypto'
import { createPool, type Db, type Pool } from '../../../src/db/pool.ts'
import { createTransactions, type Transact, type Transactions } from '../../../src/db/transaction.ts'
import { sql } from '../../../src/db/sql.ts'
import type { KernelDeps } from '../../../src/adapter/kernel/carry-out.ts'
import { countOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { createKernelServer } from '../../../src/adapter/kernel/server.ts'
import { runTasks } from '../../../src/adapter/kernel/tasks.ts'
import type { Action, CardProvider, Reading } from '../../../src/adapter/provider.ts'
import type { IssuerEvent } from '../../../src/issuer/http/event-schema.ts'
import type { RequestAnswer, RequestBody } from '../../../src/issuer/http/protocol.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { createDatabase, TestClock, type TestDatabase } from '../../support/harness.ts'
import { Bank } from './bank.ts'
import { createExampleProvider } from './example-provider.ts'

export const COMPANY = '019cd79e-4600-7000-a1b2-c3d4e5f60718'
const companyId = formatId('co', COMPANY)
const productId = 'prod_card_virtual'

/** The process dies here: nothing after this line happens. */
export class Killed extends Error {}

export interface Reply {
  readonly status: number
  readonly answer: RequestAnswer
}

type Probe = () => void

export class KernelWorld {
  readonly clock = new TestClock()
  bank = new Bank()
  /** The example one of the bank, unless a test has another. */
  createProvider: () => CardProvider = () => createExampleProvider(this.bank)
  db!: Pool
  #transactions!: Transactions
  #database!: TestDatabase

  static async start(): Promise<KernelWorld> {
    const world = new KernelWorld()
    world.#database = await createDatabase()
    const { connection } = world.#database
    world.db = createPool(connection, { size: 4, onError: () => {} })
    world.#transactions = createTransactions(connection, { size: 4, onError: () => {} })
    return world
  }

  async stop(): Promise<void> {
    await this.#transactions.close()
    await this.db.close()
    await this.#database.drop()
  }

  /** Calls `probe` before and after everything that the kernel does outside of its memory. */
  deps(probe: Probe = () => {}): KernelDeps {
    const { clock } = this
    const provider = probedProvider(this.createProvider(), probe)
    return {
      db: probedDb(this.db, probe),
      transact: probedTransact(this.#transactions.transact, probe),
      clock,
      provider,
    }
  }

  async put(token: string, body: RequestBody, deps = this.deps()): Promise<Reply> {
    const answered = await this.server(deps).put(token, body, (status, text) => ({ status, body: text, headers: {} }))
    return { status: answered.status ?? 0, answer: JSON.parse(String(answered.body)) }
  }

  /** Puts a request and kills the process at a point of it. Returns false if the request ended before. Points count while `isCounting`. */
  async killAt(point: number, token: string, body: RequestBody, isCounting = () => true): Promise<boolean> {
    let count = 0
    const deps = this.deps(() => {
      if (isCounting()) count += 1
      // A process that is dead does nothing any more.
      if (count >= point) throw new Killed('killed')
    })
    try {
      await this.put(token, body, deps)
      return false
    } catch (error) {
      if (error instanceof Killed) return true
      throw error
    }
  }

  async fence(token: string, deps = this.deps()): Promise<{ status: number; answer: { outcome?: string } }> {
    const sign = (status: number, text: string) => ({ status, body: text, headers: {} })
    const answered = await this.server(deps).fence(token, companyId, sign)
    return { status: answered.status ?? 0, answer: JSON.parse(String(answered.body)) }
  }

  async lookUp(token: string): Promise<Reply> {
    const sign = (status: number, text: string) => ({ status, body: text, headers: {} })
    const answered = await this.server(this.deps()).lookUp(token, sign)
    return { status: answered.status ?? 0, answer: JSON.parse(String(answered.body)) }
  }

  server(deps: KernelDeps) {
    return createKernelServer({
      ...deps,
      makeInvoice: undefined,
      invoiceMinimum: '1.00',
      // Nobody carries it out while a test waits, so an answer that is not there does not come.
      pause: async () => {},
    })
  }

  /** Lets time pass and open requests go on until each has an answer or waits for a person. */
  async settle(deps = this.deps()): Promise<void> {
    for (let round = 0; round < 60; round += 1) {
      const counts = await countOpen(this.db)
      if (counts === undefined || counts.open === counts.waiting) return
      this.clock.advance(130_000)
      while (await runTasks(deps));
    }
    throw new Error('The requests did not come to an end.')
  }

  /** The events that are due. */
  events(): Promise<IssuerEvent[]> {
    return this.db
      .many<{ body: string }>(
        sql`select body from issuer_adapter.event where due_at <= ${this.clock.now()} order by created_at, id`,
      )
      .then((rows) => rows.map(({ body }) => JSON.parse(body) as IssuerEvent))
  }

  /** A new bank and no records: the next case starts from nothing. */
  async clear(): Promise<void> {
    this.bank = new Bank()
    await this.db.run(
      sql`truncate issuer_adapter.request, issuer_adapter.subject, issuer_adapter.object, issuer_adapter.event, issuer_adapter.stray_event, issuer_adapter.card_payment, issuer_adapter.cursor cascade`,
    )
  }
}

export function issueOf(amount = '50.00', holderId = 'hld_ada', cardId = `card_${randomUUID()}`) {
  const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' } as const
  return { kind: 'issue', companyId, productId, amount, holderId, name: 'Travel', cardId, holder } as const
}

export function topupOf(cardId: string, amount = '20.00') {
  return { kind: 'topup', companyId, productId, amount, cardId } as const
}

export function statusOf(cardId: string, status: 'active' | 'frozen' | 'closed') {
  return { kind: 'card_status', companyId, cardId, status } as const
}

function probedDb(db: Db, probe: Probe): Db {
  const around =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      probe()
      const result = await call(...args)
      probe()
      return result
    }
  return { many: around(db.many), find: around(db.find), run: around(db.run) } as Db
}

function probedTransact(transact: Transact, probe: Probe): Transact {
  return async (use) => {
    probe()
    const result = await transact((tx) => use(probedDb(tx, probe)))
    probe()
    return result
  }
}

function probedProvider(provider: CardProvider, probe: Probe): CardProvider {
  const around =
    <Result>(call: () => Promise<Result>) =>
    async (): Promise<Result> => {
      probe()
      const result = await call()
      probe()
      return result
    }
  const probed = (step: Action | Reading): Action | Reading =>
    step.type === 'reading'
      ? { ...step, read: around(step.read) }
      : { ...step, send: around(step.send), lookUp: around(step.lookUp) }
  return {
    ...provider,
    next(request, history) {
      const next = provider.next(request, history)
      return next.kind === 'step' ? { kind: 'step', step: probed(next.step) } : next
    },
  }
}
