// An account with several invoices, three other accounts with invoices of the same ids, keys and payments, and what a call
// changes in any of them.
import { createHash } from 'node:crypto'
import { auditRecord, programActor } from '../../src/access/audit.ts'
import { beginInvoice, expireInvoice, recordPayment, settleInvoice } from '../../src/funding/queries.ts'
import type { Creation } from '../../src/funding/rules.ts'
import { newId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { type EndTerms, resolveObject, type ReviewedObject } from '../../src/reviews/queries.ts'
import { makeUnownedAddress } from '../../src/tron/address.ts'
import { type Micros, micros } from '../../src/tron/usdt.ts'
import type { Book } from './book.ts'

export const PAY_URL = 'https://pay.example/x'
/** What every invoice of the cast asks for: 100 dollars with a fee of 1.50. */
export const REQUESTED = 10_000n
export const BARE = REQUESTED * 10_000n
const OWNERS = ['', ' of the other environment', ' of the other company', ' of the other company and environment']
const ACTOR = programActor('test')

/** The tables that the functions may write to, with the columns that name a row. */
const TABLES = {
  account: [],
  audit_log: ['action'],
  entry: ['number'],
  event: ['object_id', 'sequence'],
  invoice: ['id'],
  issuer_request: ['id'],
  invoice_payment: ['payment_key'],
  pay_link: ['invoice_id'],
  payment_review: ['id'],
  payment_slot: ['pay_amount'],
} as const

type Row = Record<string, unknown>
export type Changes = Record<string, Row | 'gone'>
export type Name = 'earlier' | 'reopened' | 'subject' | 'late payment' | 'later payment'
export type State = 'creating' | 'pending' | 'expired' | 'in review' | 'unknown' | 'completed' | 'failed'

export interface NewPayment {
  key?: string
  amount: bigint
  /** The minute of its block, if it is not that of the report. */
  paid?: number
  /** The review that it gets if the invoice has ended. */
  review?: Name
}

export class Cast {
  readonly #book: Book
  readonly #start: Date
  /** The account that the tests work in, then those that must not change. */
  readonly scopes: readonly [Scope, ...Scope[]]
  readonly ids: Readonly<Record<Name, string>>

  private constructor(book: Book, scopes: readonly Scope[]) {
    this.#book = book
    this.#start = book.clock.now()
    this.scopes = [must(scopes[0]), ...scopes.slice(1)]
    const idAt = (minute: number) => newId(this.at(minute))
    this.ids = {
      earlier: idAt(0),
      'late payment': idAt(2),
      reopened: idAt(10),
      subject: idAt(80),
      'later payment': idAt(90),
    }
  }

  /**
   * Every account has an invoice that was completed, with a payment after its end that awaits a decision, an invoice that was
   * reopened by a late payment, and the subject, which is being created since minute 80.
   */
  static async create(book: Book): Promise<Cast> {
    const scopes: Scope[] = []
    for (let made = 0; made < 2; made += 1) {
      const { companyId } = (await book.addCompany()).scope
      for (const environment of ['sandbox', 'live'] as const) scopes.push({ companyId, environment })
    }
    const cast = new Cast(book, scopes)
    for (const scope of scopes) {
      await cast.begin(scope, 'earlier', 0)
      await cast.settle(scope, 'earlier', 0, cast.instructions(scope, { tail: 10n, expires: 60 }))
      await cast.pay(scope, 'earlier', 1, { key: 'exact', amount: cast.payAmount(scope, 10n) })
      await cast.pay(scope, 'earlier', 2, { key: 'after the end', amount: 5_000_000n, review: 'late payment' })
      await cast.begin(scope, 'reopened', 10)
      await cast.settle(scope, 'reopened', 10, cast.instructions(scope, { tail: 20n, expires: 70 }))
      await cast.expire(scope, 'reopened', 75)
      const subject = await cast.begin(scope, 'subject', 80)
      if (subject?.verdict !== 'begun') throw new Error(`the subject is ${subject?.verdict}`)
      await cast.pay(scope, 'reopened', 85, { key: 'too late', amount: 7_000_000n })
    }
    return cast
  }

  get mine(): Scope {
    return this.scopes[0]
  }

  get others(): readonly Scope[] {
    return this.scopes.slice(1)
  }

  at(minute: number): Date {
    return new Date(this.#start.getTime() + Math.round(minute * 60_000))
  }

  /** Every account has amounts and times of its own, because an address and an exact amount belong to one invoice. */
  payAmount(scope: Scope, tail = 30n): Micros {
    return micros(BARE + tail + BigInt(this.scopes.indexOf(scope)))
  }

  instructions(scope: Scope, { tail = 30n, expires = 140 }: { tail?: bigint; expires?: number } = {}) {
    const expiry = expires + this.scopes.indexOf(scope)
    const times = { expiresAt: this.at(expiry), freeAt: this.at(expiry + 1440) }
    return { status: 'pending', address: this.address, payAmount: this.payAmount(scope, tail), ...times } as const
  }

  /** Each cast has an address of its own. */
  get address(): string {
    return makeUnownedAddress(this.ids.subject)
  }

  begin(scope: Scope, name: Name, minute: number, key: string = name) {
    const linkDigest = createHash('sha256').update(`${scope.companyId} ${scope.environment} ${this.ids[name]}`)
    return beginInvoice(this.#book.db, scope, this.at(minute), {
      id: this.ids[name],
      idempotencyKey: key,
      digest: '00',
      amount: REQUESTED,
      fee: 150n,
      leaseUntil: this.at(minute + 1),
      linkDigest: linkDigest.digest('hex'),
    })
  }

  async settle(scope: Scope, name: Name, minute: number, creation: Creation): Promise<boolean | undefined> {
    return (await settleInvoice(this.#book.db, scope, this.ids[name], this.at(minute), creation, PAY_URL))?.settled
  }

  async expire(scope: Scope, name: Name, minute: number): Promise<boolean | undefined> {
    return (await expireInvoice(this.#book.db, scope, this.ids[name], this.at(minute), PAY_URL))?.expired
  }

  async pay(
    scope: Scope,
    name: Name,
    minute: number,
    { key = 'first', amount, paid = minute, review = 'later payment' }: NewPayment,
  ): Promise<string | undefined> {
    const payment = { key, amount, paidAt: this.at(paid), reviewId: this.ids[review], payUrl: PAY_URL }
    return (await recordPayment(this.#book.db, scope, this.ids[name], this.at(minute), payment))?.verdict
  }

  async resolve(
    scope: Scope,
    name: Name,
    minute: number,
    { status = 'failed', seen }: { status?: 'completed' | 'failed' | 'expired'; seen: bigint | null },
  ): Promise<string | null | undefined> {
    const terms = {
      status,
      seen: seen?.toString() ?? null,
      payUrl: PAY_URL,
      ...(status === 'completed' ? { received: '44570000', deposit: '4456', fee: '67' } : {}),
      ...(status === 'failed' ? { failureCode: 'review_failed', failureMessage: 'Not accepted.' } : {}),
    }
    return this.resolveObject(scope, { object: 'invoice', id: this.ids[name] }, terms, minute)
  }

  /** Carries out an operator's decision. Returns the verdict of resolve_review. */
  async resolveObject(
    scope: Scope,
    subject: { object: ReviewedObject; id: string },
    terms: EndTerms,
    minute: number,
  ): Promise<string | null | undefined> {
    const record = this.log(`review.${terms.status}`, minute)
    const change = { from: ['manual_review'], terms, now: this.at(minute), record }
    return (await resolveObject(this.#book.db, scope, subject, change))?.verdict
  }

  log(action: string, minute: number) {
    return auditRecord({ now: () => this.at(minute) }, ACTOR, { action, object: 'subject' })
  }

  /** Brings the subject of the account into a state, at minute 90 or at its expiry. */
  async bring(scope: Scope, state: State): Promise<void> {
    if (state === 'creating') return
    if (state === 'failed') {
      await this.settle(scope, 'subject', 90, { status: 'failed', failure: { code: 'declined', message: 'Declined.' } })
      return
    }
    await this.settle(
      scope,
      'subject',
      90,
      state === 'unknown' ? { status: 'manual_review' } : this.instructions(scope),
    )
    if (state === 'expired') await this.expire(scope, 'subject', 145)
    if (state === 'completed') await this.pay(scope, 'subject', 91, { key: 'paid', amount: this.payAmount(scope) })
    if (state === 'in review') await this.pay(scope, 'subject', 91, { key: 'paid', amount: 40_000_000n })
  }

  /** Gives the other accounts, and not this one, an invoice and the review of a payment with the id of the later payment. */
  async addElsewhere(status: string, scopes = this.others): Promise<void> {
    const [id, reviewId] = [this.ids['later payment'], this.ids['late payment']]
    for (const { companyId, environment } of scopes) {
      const values = [companyId, environment, id]
      await this.#book.run(
        `insert into invoice (company_id, environment, id, status, requested, deposit, fee, address, pay_amount, expires_at,
           idempotency_key, request_digest, created_at, status_at, reopened)
         select company_id, environment, $3, $5, requested, deposit, fee, address, pay_amount, expires_at, 'elsewhere', request_digest,
           created_at, status_at, true
         from invoice where company_id = $1 and environment = $2 and id = $4`,
        [...values, this.ids.reopened, status],
      )
      await this.#book.run(
        `insert into payment_review (company_id, environment, id, invoice_id, payment_key, amount, created_at, status_at)
         select company_id, environment, $3, invoice_id, 'elsewhere', amount, created_at, status_at
         from payment_review where company_id = $1 and environment = $2 and id = $4`,
        [...values, reviewId],
      )
    }
  }

  /** Returns what the work returns and everything that it changed, in all accounts: of new rows whatever is not null. */
  async watch<Value>(work: () => Promise<Value>): Promise<{ value: Value; changes: Changes }> {
    const before = await this.#read()
    const value = await work()
    const after = await this.#read()
    const changes: Changes = {}
    for (const [label, row] of after) {
      const known = before.get(label)
      const isNews = ([column, now]: [string, unknown]) =>
        known === undefined ? now !== null : JSON.stringify(known[column]) !== JSON.stringify(now)
      const news = Object.fromEntries(Object.entries(row).filter(isNews))
      if (Object.keys(news).length > 0) changes[label] = news
    }
    for (const label of before.keys()) if (!after.has(label)) changes[label] = 'gone'
    return { value, changes }
  }

  async #read(): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>()
    for (const [table, key] of Object.entries(TABLES)) {
      const found = await this.#book.many<{ row: Row }>(
        `select to_jsonb(t) as row from ${table} t where company_id = any($1)`,
        [this.scopes.map(({ companyId }) => companyId)],
      )
      for (const { row } of found) {
        const { company_id: companyId, environment, ...rest } = row
        const scope = this.scopes.findIndex(
          (one) => one.companyId === companyId && (environment === undefined || one.environment === environment),
        )
        const named = this.#nameAll(table, rest)
        const label = [table, ...key.map((column) => String(named[column]))].join(' ') + OWNERS[scope]
        for (const column of [...key, ...(table === 'audit_log' ? ['id'] : [])]) delete named[column]
        rows.set(label, named)
      }
    }
    return rows
  }

  /** Writes ids as names and times as minutes. */
  #nameAll(table: string, row: Row): Row {
    const names = new Map<unknown, string>(Object.entries(this.ids).map(([name, id]) => [id, name]))
    const show = (value: unknown) => {
      if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return names.get(value) ?? value
      return `minute ${(Date.parse(value) - this.#start.getTime()) / 60_000}`
    }
    const shown = Object.fromEntries(Object.entries(row).map(([column, value]) => [column, show(value)]))
    if (table !== 'event') return shown
    const { id: _, data, ...event } = shown
    const { status, receivedAmount, payUrl } = data as Row
    return { ...event, data: `${String(status)} ${String(receivedAmount)} ${String(payUrl)}` }
  }
}
