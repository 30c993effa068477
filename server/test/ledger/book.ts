// A ledger without HTTP: a database of its own, companies with a holder, and direct calls of the ledger's functions.
import { randomUUID } from 'node:crypto'
import { programActor } from '../../src/access/audit.ts'
import { createCompany } from '../../src/companies/companies.ts'
import { type Connection, createPool, type Db, type Pool } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { insertHolder } from '../../src/holders/queries.ts'
import type { AcceptItem, Candidate, Settlement } from '../../src/ledger/items.ts'
import { auditLedger } from '../../src/ledger/audit.ts'
import { deposit } from '../../src/ledger/deposit.ts'
import {
  acceptOperation,
  acceptOperations,
  auditAccount,
  type AcceptRow,
  settleOperations,
} from '../../src/ledger/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents, ZERO } from '../../src/lib/money.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { claimOperations, findOperation, type OperationRow } from '../../src/operations/queries.ts'
import { createTurns } from '../../src/operations/turns.ts'
import { findDifferences } from '../support/books.ts'
import { createDatabase, TestClock } from '../support/harness.ts'
import { isDistributed } from '../support/on-citus.ts'

export interface BookCompany {
  scope: Scope
  holderId: string
}

/** Time stands still until the test moves it. */
type BookClock = Pick<TestClock, 'now' | 'advance' | 'set'>

const ACTOR = programActor('test')
/** How long the tests' claims last. */
export const LEASE_MS = 45_000
/** Which node a claim asks is drawn, so that so many misses in a row mean that no node has any work. */
const EMPTY_CLAIMS_MAX = 20

export class Book {
  readonly db: Pool
  readonly connection: Connection
  readonly clock: BookClock
  readonly #drop: () => Promise<void>

  private constructor(connection: Connection, clock: BookClock, drop: () => Promise<void>) {
    this.connection = connection
    this.clock = clock
    this.db = createPool(connection, { size: 8, onError: () => {} })
    this.#drop = drop
  }

  static open(): Promise<Book>
  static open<Clock extends BookClock>(clock: Clock): Promise<Book & { readonly clock: Clock }>
  static async open(clock: BookClock = new TestClock()): Promise<Book> {
    const { connection, drop } = await createDatabase()
    return new Book(connection, clock, drop)
  }

  async close(): Promise<void> {
    await this.db.close()
    await this.#drop()
  }

  async addCompany(funds = 0n): Promise<BookCompany> {
    const { id } = await createCompany(this, ACTOR, { name: 'Test company', kind: 'corporate' })
    const scope = { companyId: id, environment: 'sandbox' } as const
    const company = { scope, holderId: await this.addHolder(scope) }
    if (funds > 0n) await this.fund(company, funds)
    return company
  }

  /** Adds a company that shares a node of Citus with the others that this method adds, so that one claim takes the work of all. */
  async addNeighbour(funds = 0n): Promise<BookCompany> {
    const company = await this.addCompany()
    if (!(await this.#isOnFirstNode(company))) return this.addNeighbour(funds)
    if (funds > 0n) await this.fund(company, funds)
    return company
  }

  async #isOnFirstNode({ scope }: BookCompany): Promise<boolean> {
    if (!isDistributed()) return true
    const nodes = await this.many(
      `select from pg_dist_placement
       where shardid = get_shard_id_for_distribution_column('account', $1::uuid)
         and groupid = (select min(groupid) from pg_dist_node where shouldhaveshards)`,
      [scope.companyId],
    )
    return nodes.length > 0
  }

  async addHolder(scope: Scope, status: 'active' | 'blocked' = 'active'): Promise<string> {
    const id = newId(this.clock.now())
    await insertHolder(this.db, scope, {
      id,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      kind: 'individual',
      status,
      external_id: null,
      idempotency_key: null,
      request_digest: null,
      created_at: this.clock.now(),
    })
    return id
  }

  fund({ scope }: BookCompany, amount: bigint, idempotencyKey: string = randomUUID()) {
    return deposit(this, scope, { amount: cents(amount), fee: ZERO, idempotencyKey, digest: '00' })
  }

  /** Any statement, as an administrator at the database could send it. */
  run(text: string, values: readonly unknown[] = []): Promise<number> {
    return this.db.run({ name: undefined, text, values })
  }

  many<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.db.many<Row>({ name: undefined, text, values })
  }

  /** As a superuser who switches the guards of a table off, or on again. */
  async switchGuards(mode: 'disable' | 'enable', table: 'entry' | 'seal' | 'entry_archive'): Promise<void> {
    if (!isDistributed()) {
      await this.run(`alter table ${table} ${mode} trigger user`)
      return
    }
    // Citus refuses it for a distributed table, but not for the parts that it consists of.
    const command = `alter table %s ${mode} trigger user`
    const shards = await this.many<{ success: boolean; result: string }>(
      'select success, result from run_command_on_shards($1, $2)',
      [table, command],
    )
    const refused = shards.find(({ success }) => !success)
    if (refused !== undefined) throw new Error(refused.result)
  }

  newItem(candidate: Candidate): AcceptItem {
    return { id: newId(this.clock.now()), candidate }
  }

  acceptOne(candidate: Candidate): Promise<AcceptRow[]> {
    return acceptOperation(this.db, this.clock.now(), this.newItem(candidate))
  }

  acceptBatch(candidates: readonly Candidate[]): Promise<AcceptRow[]> {
    const items = candidates.map((candidate) => this.newItem(candidate))
    return inGroups(
      items,
      ({ candidate }) => candidate.scope,
      (group) => acceptOperations(this.db, this.clock.now(), group),
    )
  }

  /** The id of an operation that was accepted. */
  async accept(candidate: Candidate): Promise<string> {
    const item = this.newItem(candidate)
    const [refusal] = await acceptOperation(this.db, this.clock.now(), item)
    if (refusal !== undefined) throw new Error(`not accepted: ${refusal.verdict}`)
    return item.id
  }

  async claimAll(): Promise<void> {
    const now = this.clock.now()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    const claim = { environment: 'sandbox', now, leaseUntil, limit: 200 } as const
    // On Citus a claim takes the work of one node, and of a node whose work is damaged it may take nothing.
    const emptyMax = isDistributed() ? EMPTY_CLAIMS_MAX : 1
    for (let empty = 0; empty < emptyMax;)
      empty = (await claimOperations(this.db, claim, createTurns().next(200))).length > 0 ? 0 : empty + 1
  }

  settle(items: readonly Settlement[]): Promise<{ item: number; status: string | null }[]> {
    return inGroups(
      items,
      ({ scope }) => scope,
      (group) => settleOperations(this.db, this.clock.now(), group),
    )
  }

  /** For settlements that must succeed. */
  async settleAll(items: readonly Settlement[]): Promise<void> {
    const [unmoved] = await this.settle(items)
    if (unmoved !== undefined) throw new Error(`item ${unmoved.item} is ${unmoved.status}`)
  }

  /** An issued card of the company. */
  async makeCard(company: BookCompany): Promise<string> {
    const id = await this.accept(issue(company))
    await this.claimAll()
    const settlement = completed(company, id, 'issue')
    await this.settleAll([settlement])
    return settlement.card?.id ?? ''
  }

  async find(company: BookCompany, id: string): Promise<OperationRow> {
    const row = await findOperation(this.db, company.scope, id)
    if (row === undefined) throw new Error(`no operation ${id}`)
    return row
  }

  async balance({ scope }: BookCompany): Promise<{ available: bigint; held: bigint }> {
    const [row] = await this.many<{ available: bigint; held: bigint }>(
      'select available, held from account where company_id = $1 and environment = $2',
      [scope.companyId, scope.environment],
    )
    if (row === undefined) throw new Error('no account')
    return row
  }

  async entryKinds(reference: string): Promise<string[]> {
    const rows = await this.many<{ kind: string }>('select kind from entry where reference = $1 order by number', [
      reference,
    ])
    return rows.map(({ kind }) => kind)
  }

  /** Audits one company, for tests that leave a tampered company behind. */
  async differencesOf({ scope }: BookCompany): Promise<string[]> {
    const rows = await auditAccount(this.db, { company_id: scope.companyId, environment: scope.environment })
    return rows.flatMap(({ difference }) => difference ?? [])
  }

  /** Throws if the audit finds a difference. For the end of every test that leaves the ledger intact. */
  async requireClean(): Promise<void> {
    const differences = await findDifferences(this.db)
    if (differences.length > 0) throw new Error(`the audit found: ${differences.join('; ')}`)
  }

  async differences(): Promise<string[]> {
    return (await auditLedger(this.db)).differences.map(({ difference }) => difference)
  }
}

/** Runs a batch. On Citus it is a batch for each company; the rows keep the numbers of the items. */
async function inGroups<Item, Row extends { item: number }>(
  items: readonly Item[],
  scopeOf: (item: Item) => Scope,
  run: (group: readonly Item[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (!isDistributed()) return run(items)
  const rows: Row[] = []
  for (const companyId of new Set(items.map((item) => scopeOf(item).companyId))) {
    const group = items.filter((item) => scopeOf(item).companyId === companyId)
    for (const row of await run(group)) {
      rows.push({ ...row, item: items.indexOf(group[row.item - 1] as Item) + 1 })
    }
  }
  return rows.toSorted((a, b) => a.item - b.item)
}

const nothing = { holderId: null, cardId: null, name: null, recipient: null, issuanceQuota: null }

export function issue({ scope, holderId }: BookCompany, more: Partial<Candidate> = {}): Candidate {
  const what = { type: 'issue', productId: 'prod_card_virtual', amount: cents(1000n), fee: cents(302n) } as const
  return { ...nothing, scope, ...what, holderId, idempotencyKey: randomUUID(), digest: 'aa', ...more }
}

export function topup({ scope }: BookCompany, cardId: string, more: Partial<Candidate> = {}): Candidate {
  const what = { type: 'topup', productId: 'prod_card_virtual', amount: cents(1000n), fee: cents(2n) } as const
  return { ...nothing, scope, ...what, cardId, idempotencyKey: randomUUID(), digest: 'aa', ...more }
}

export function service({ scope }: BookCompany, more: Partial<Candidate> = {}): Candidate {
  const what = { type: 'service', productId: 'prod_service_esim', amount: cents(1000n), fee: cents(60n) } as const
  return { ...nothing, scope, ...what, recipient: 'ada', idempotencyKey: randomUUID(), digest: 'aa', ...more }
}

export function completed({ scope }: BookCompany, id: string, type: Candidate['type']): Settlement {
  const card = type === 'issue' ? { card: { id: newId(new Date()), last4: '4242' } } : {}
  return { scope, id, status: 'completed', receipt: 'R', ...card }
}

export function failed({ scope }: BookCompany, id: string): Settlement {
  return { scope, id, status: 'failed', failure: { code: 'declined', message: 'declined' } }
}

/** A database that carries out a statement and then loses the answer, if `forgets` says so. */
export class ForgetfulDb implements Db {
  readonly #db: Db
  readonly #forgets: (statement: Statement) => boolean

  constructor(db: Db, forgets: (statement: Statement) => boolean) {
    this.#db = db
    this.#forgets = forgets
  }

  many<Row>(statement: Statement): Promise<Row[]> {
    return this.#lose(statement, this.#db.many<Row>(statement))
  }
  find<Row>(statement: Statement): Promise<Row | undefined> {
    return this.#lose(statement, this.#db.find<Row>(statement))
  }
  run(statement: Statement): Promise<number> {
    return this.#lose(statement, this.#db.run(statement))
  }

  async #lose<Value>(statement: Statement, answer: Promise<Value>): Promise<Value> {
    const value = await answer
    if (!this.#forgets(statement)) return value
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
  }
}
