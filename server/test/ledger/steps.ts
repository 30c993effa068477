// Three accounts side by side, and what a step of an operation should change in each of them: in the tables of the ledger, in the
// queue and in the events. Two accounts are of one company, and one has no endpoint.
import type { Candidate } from '../../src/ledger/items.ts'
import { must } from '../../src/lib/invariant.ts'
import { newId, ZERO_ID } from '../../src/lib/ids.ts'
import { claimOperations } from '../../src/operations/queries.ts'
import { untilNothingIsLeft } from '../support/on-citus.ts'
import { Book, type BookCompany, issue, LEASE_MS, service, topup } from './book.ts'
import { type Change, timeOf, Watch } from './changes.ts'

export type Type = Candidate['type']
export interface Account extends BookCompany {
  readonly name: string
  readonly cardId: string
  readonly hasEndpoint: boolean
}
export interface Figures {
  readonly available: bigint
  readonly held: bigint
  readonly sequence: bigint
  readonly issued_count: number
  readonly last_entry_at: string
}
/** The entries of a step, each with what it moves. */
export type Moves = readonly (readonly [kind: string, available: bigint, held: bigint])[]

/** Longer than the name on a card. */
export const HOLDER = `${'Ada '.repeat(16)}Lovelace`
const NEVER = new Date('2030-01-01T00:00:00Z')

export class Steps {
  readonly book: Book
  readonly watch: Watch
  accounts: readonly Account[] = []

  private constructor(book: Book) {
    this.book = book
    this.watch = new Watch(book)
  }

  static async open(): Promise<Steps> {
    const steps = new Steps(await Book.open())
    const { book } = steps
    const [acme, other] = [await book.addCompany(), await book.addCompany()]
    const live = { companyId: acme.scope.companyId, environment: 'live' } as const
    const acmeLive = { scope: live, holderId: await book.addHolder(live) }
    steps.accounts = [
      await steps.#furnish('acme', acme, 100_000n, true),
      await steps.#furnish('acme live', acmeLive, 90_000n, false),
      await steps.#furnish('other', other, 80_000n, true),
    ]
    return steps
  }

  /** An account with funds, two cards, and open operations of its own. None of these takes part in a step. */
  async #furnish(name: string, company: BookCompany, funds: bigint, hasEndpoint: boolean): Promise<Account> {
    const { book, watch } = this
    const { scope, holderId } = company
    const now = book.clock.now()
    await book.addHolder(scope)
    await book.run('update holder set name = $1 where id = $2', [HOLDER, holderId])
    await book.fund(company, funds)
    const account = { ...company, name, hasEndpoint, cardId: newId(now) }
    const ids = await this.bring([account, account, account, account, account], 'issue')
    const [first, second, unsure, sent, waiting] = ids as [string, string, string, string, string]
    const done = { scope, status: 'completed', receipt: 'R' } as const
    await book.settleAll([
      { ...done, id: first, card: { id: account.cardId, last4: '1111' } },
      { ...done, id: second, card: { id: newId(now), last4: '2222' } },
      { scope, id: unsure, status: 'manual_review' },
      { scope, id: waiting, status: 'queued', dueAt: NEVER },
      { scope, id: sent, status: 'processing', dueAt: NEVER },
    ])
    watch.name(`${scope.companyId} ${scope.environment}`, name)
    watch.name(holderId, `${name} holder`)
    watch.name(account.cardId, `${name} card`)
    if (!hasEndpoint) return account
    const id = watch.name(newId(now), `${name} endpoint`)
    await book.run(
      `select create_webhook_endpoint($1, $2, $3, $4, 'https://example.com', '{*}', null, $4, '', 'key', 9)`,
      [scope.companyId, now, scope.environment, id],
    )
    return account
  }

  now(): string {
    return timeOf(this.book.clock.now())
  }

  /** Lets every step have a time of its own. */
  tick(): void {
    this.book.clock.advance(1_000)
  }

  leaseUntil(): Date {
    return new Date(this.book.clock.now().getTime() + LEASE_MS)
  }

  async claim(): Promise<void> {
    for (const environment of ['sandbox', 'live'] as const) {
      const terms = { environment, now: this.book.clock.now(), leaseUntil: this.leaseUntil(), limit: 200 }
      const turn = { share: 200, after: ZERO_ID, companies: [], positions: [] }
      await untilNothingIsLeft(async () => (await claimOperations(this.book.db, terms, turn)).length > 0)
    }
  }

  /** Accepts an operation of each account. Returns their ids. Each is called the operation of its account. */
  async accept(accounts: readonly Account[], type: Type, more: Partial<Candidate> = {}): Promise<string[]> {
    const ids: string[] = []
    for (const account of accounts) {
      const id = await this.book.accept(candidateOf(account, type, more))
      ids.push(this.watch.name(id, `${account.name} op`))
    }
    return ids
  }

  /** Also claims them. */
  async bring(accounts: readonly Account[], type: Type, more: Partial<Candidate> = {}): Promise<string[]> {
    const ids = await this.accept(accounts, type, more)
    await this.claim()
    return ids
  }

  readFigures(): Promise<Figures[]> {
    return Promise.all(
      this.accounts.map(async ({ scope }) => {
        const [row] = await this.book.many<Omit<Figures, 'last_entry_at'> & { last_entry_at: Date }>(
          `select available, held, sequence, issued_count, last_entry_at from account
           where company_id = $1 and environment = $2`,
          [scope.companyId, scope.environment],
        )
        const { last_entry_at: at, ...figures } = must(row)
        return { ...figures, last_entry_at: timeOf(at) }
      }),
    )
  }

  /** The change of an account, and its new entries. */
  money({ name }: Account, before: Figures, moves: Moves, issues = 0): Record<string, Change> {
    if (moves.length === 0) return {}
    const now = this.now()
    const changes: Record<string, Change> = {}
    let { available, held, sequence } = before
    for (const [kind, availableDelta, heldDelta] of moves) {
      available += availableDelta
      held += heldDelta
      sequence += 1n
      changes[`${name}: entry ${sequence}`] = {
        kind,
        reference: `${name} op`,
        reference_type: 'op',
        available_delta: Number(availableDelta),
        held_delta: Number(heldDelta),
        balance: Number(available + held),
        held: Number(held),
        created_at: now,
      }
    }
    const after: Figures = { available, held, sequence, issued_count: before.issued_count + issues, last_entry_at: now }
    const columns = Object.keys(after) as (keyof Figures)[]
    const changed = columns.filter((column) => before[column] !== after[column])
    const values = changed.map((column) => [column, `${before[column]} → ${after[column]}`])
    return { ...changes, [`${name}: account`]: Object.fromEntries(values) as Change }
  }

  /** An event, and its delivery if the account has an endpoint. The first event of an operation is the operation itself. */
  event(account: Account, what: string, type: string, sequence: number, data?: unknown): Record<string, Change> {
    const { name, hasEndpoint } = account
    const now = this.now()
    const isRow = what !== 'op' || sequence > 1
    const id = isRow ? `${name} ${what} ${sequence} event` : `${name} op`
    const queue = { status: 'pending', attempt_count: 0, resend_count: 0, due_at: now }
    const row = { id, type, created_at: now, ...(data === undefined ? {} : { data }) }
    return {
      ...(isRow ? { [`${name}: event ${name} ${what} ${sequence}`]: row } : {}),
      ...(hasEndpoint ? { [`${name}: delivery ${id}`]: { endpoint_id: `${name} endpoint`, ...queue } } : {}),
    }
  }
}

export function candidateOf(account: Account, type: Type, more: Partial<Candidate> = {}): Candidate {
  if (type === 'topup') return topup(account, account.cardId, more)
  return type === 'issue' ? issue(account, more) : service(account, more)
}

export const merge = (changes: readonly Record<string, Change>[]): Record<string, Change> =>
  Object.assign({}, ...changes) as Record<string, Change>
