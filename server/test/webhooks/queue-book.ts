// Delivery queues without a server and without a worker. The same rows, with the same ids, also exist in the company's other environment
// and in another company, and every test sees all rows that a call changed, so nothing else may have changed.
import { randomUUID } from 'node:crypto'
import type { Scope } from '../../src/lib/scope.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Pool } from '../../src/db/pool.ts'
import { createEndpoint, type QueueKey } from '../../src/webhooks/queries.ts'
import type { Book, BookCompany } from '../ledger/book.ts'

/** The columns that tell the rows of a company and an environment apart. */
const TABLES = {
  account: [],
  webhook_endpoint: ['id'],
  webhook_secret: ['endpoint_id', 'id'],
  delivery_queue: ['endpoint_id'],
  event: ['id'],
  delivery: ['endpoint_id', 'event_id'],
  webhook_attempt: ['endpoint_id', 'event_id'],
} as const

type Row = Record<string, unknown>
/** The columns that changed, by the name of the row; all columns of a new row; null for a row that is gone. */
export type Changes = Record<string, Row | null>

export class QueueBook {
  readonly book: Book
  readonly company: BookCompany
  readonly scope: Scope
  /** The company's other environment, and another company. */
  readonly others: readonly Scope[]
  readonly now: Date
  readonly #names = new Map<string, string>()

  private constructor(book: Book, company: BookCompany, other: BookCompany) {
    this.book = book
    this.company = company
    this.scope = company.scope
    this.others = [{ ...company.scope, environment: 'live' }, other.scope]
    this.now = book.clock.now()
  }

  /** Begins with a new company, so that the tests of a file can share a database. */
  static async start(book: Book): Promise<QueueBook> {
    return new QueueBook(book, await book.addNeighbour(100_000n), await book.addNeighbour())
  }

  get db(): Pool {
    return this.book.db
  }

  /** A time so many seconds from now. */
  at(seconds: number): Date {
    return new Date(this.now.getTime() + seconds * 1000)
  }

  key(endpoint: string, { companyId, environment }: Scope = this.scope): QueueKey {
    return { company_id: companyId, environment, endpoint_id: this.id(endpoint) }
  }

  /** The id of an endpoint, an event or a secret that has this name. */
  id(name: string): string {
    const found = [...this.#names].find(([, given]) => given === name)
    if (found === undefined) throw new Error(`nothing is named ${name}`)
    return found[0]
  }

  name(name: string, id: string): string {
    this.#names.set(id, name)
    return id
  }

  async addEndpoint(name: string, events: readonly string[] = ['*']): Promise<void> {
    const secret = { id: this.name(`${name}'s secret`, newId(this.now)), ciphertext: Buffer.from(name), keyId: 'key' }
    const id = this.name(name, newId(this.now))
    const endpoint = { id, url: `https://${name}.example.com`, events, description: null, secret, limit: 100 }
    await createEndpoint(this.db, this.scope, this.at(-1000), endpoint)
  }

  /** An event with no deliveries. Events that are added later have higher ids. */
  async addEvent(
    name: string,
    { type = 'card.updated', object }: { type?: string; object?: string } = {},
  ): Promise<void> {
    const { companyId, environment } = this.scope
    const id = this.name(name, newId(this.at(-500)))
    await this.book.run(
      `insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
       values ($1, $2, $3, $4, $5, 2, '{}', $6)`,
      [companyId, environment, id, type, object ?? randomUUID(), this.at(-500)],
    )
  }

  async addDelivery(endpoint: string, event: string, more: Row = {}): Promise<void> {
    const { companyId, environment } = this.scope
    const row = { due_at: this.now, ...more }
    const names = Object.keys(row)
    await this.book.run(
      `insert into delivery (company_id, environment, endpoint_id, event_id, ${names.join(', ')})
       values ($1, $2, $3, $4, ${names.map((_, index) => `$${index + 5}`).join(', ')})`,
      [companyId, environment, this.id(endpoint), this.id(event), ...Object.values(row)],
    )
  }

  async setQueue(endpoint: string, row: Row): Promise<void> {
    await this.#set('delivery_queue', 'endpoint_id', endpoint, row)
  }

  async setEndpoint(endpoint: string, row: Row): Promise<void> {
    await this.#set('webhook_endpoint', 'id', endpoint, row)
  }

  async #set(table: string, key: string, name: string, row: Row): Promise<void> {
    const { companyId, environment } = this.scope
    const columns = Object.keys(row).map((column, index) => `${column} = $${index + 4}`)
    await this.book.run(
      `update ${table} set ${columns.join(', ')} where company_id = $1 and environment = $2 and ${key} = $3`,
      [companyId, environment, this.id(name), ...Object.values(row)],
    )
  }

  /** Copies all rows, with their ids, to the other environment and the other company. */
  async copyToOthers(): Promise<void> {
    for (const { companyId, environment } of this.others)
      for (const table of Object.keys(TABLES).slice(1))
        await this.book.run(
          `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('company_id', $1::uuid, 'environment', $2::environment))).*
           from ${table} t where company_id = $3 and environment = $4`,
          [companyId, environment, this.scope.companyId, this.scope.environment],
        )
  }

  /** What a call changed. A change elsewhere begins with the company and the environment. */
  async changesOf(call: () => Promise<unknown>): Promise<Changes> {
    const before = await this.#readRows()
    await call()
    const after = await this.#readRows()
    const changes: Changes = {}
    for (const [name, row] of after) {
      const old = before.get(name)
      const changed = Object.entries(row).filter(([column, value]) => text(old?.[column]) !== text(value))
      if (changed.length > 0) changes[name] = Object.fromEntries(changed)
    }
    for (const name of before.keys()) if (!after.has(name)) changes[name] = null
    return changes
  }

  async #readRows(): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>()
    const companies = [this.scope, ...this.others].map(({ companyId }) => companyId)
    for (const [table, keys] of Object.entries(TABLES)) {
      const found = await this.book.many<Row>(`select * from ${table} where company_id = any ($1)`, [companies])
      for (const { company_id: company, environment, ...row } of found) {
        const isOurs = company === this.scope.companyId && environment === this.scope.environment
        const ids = keys.map((key) => this.#names.get(String(row[key])) ?? 'new')
        const name = [table, ...ids].join(' ')
        rows.set(isOurs ? name : `${String(company)} ${String(environment)} ${name}`, row)
      }
    }
    return rows
  }
}

const text = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
