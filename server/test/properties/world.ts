// The virtual world of the properties: companies, nodes that can die at any statement, and the issuer, behind a wire that follows a
// plan. The checks are made from the rows alone, besides the audit that they also call.
import { programActor } from '../../src/access/audit.ts'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { type AboutSource, PROTOCOL_1_0 } from '../../src/issuer/http/about.ts'
import { createHttpIssuer } from '../../src/issuer/http/issuer.ts'
import type { IssuerOutcome, IssuerRequest } from '../../src/issuer/port.ts'
import { createIntake, type Intake } from '../../src/ledger/accept.ts'
import type { Candidate } from '../../src/ledger/items.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { cents } from '../../src/lib/money.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import type { RequestWorker } from '../../src/issuer/requests/worker.ts'
import type { OperationRow } from '../../src/operations/queries.ts'
import { operationReviewKind } from '../../src/operations/review.ts'
import { resolveReview } from '../../src/reviews/source.ts'
import type { Book, BookCompany } from '../ledger/book.ts'
import { ISSUER_SECRET } from '../proof/world/issuer.ts'
import type { VirtualTime } from '../proof/world/time.ts'
import { createGates, type IssuerScript } from '../support/gates.ts'
import { testGrouping } from '../support/on-citus.ts'
import { planOf, Wire } from './wire.ts'

/** How often an operation is tried that can never be sent: once, and once more after each pause. */
const UNSENT_TRIES = 6

/** Where a node dies: before it sends the statement, or after the statement was carried out, its answer lost. */
export const DEATHS = [
  'after the claim',
  'before recording the answer',
  'after recording the answer',
  'before settling',
  'after settling',
  'after the claim of look-ups',
] as const
export type Death = (typeof DEATHS)[number]

const STATEMENTS: Readonly<Record<Death, [string, 'before' | 'after']>> = {
  'after the claim': ['claim_operations', 'after'],
  'before recording the answer': ['insert into exchange', 'before'],
  'after recording the answer': ['insert into exchange', 'after'],
  'before settling': ['settle_operations', 'before'],
  'after settling': ['settle_operations', 'after'],
  'after the claim of look-ups': ['claim_look_ups', 'after'],
}

class MortalDb implements Db {
  readonly #db: Db
  readonly #death: [string, 'before' | 'after'] | undefined
  #isDead = false

  constructor(db: Db, death: Death | undefined) {
    this.#db = db
    this.#death = death === undefined ? undefined : STATEMENTS[death]
  }
  many = <Row>(statement: Statement) => this.#live(statement, () => this.#db.many<Row>(statement))
  find = <Row>(statement: Statement) => this.#live(statement, () => this.#db.find<Row>(statement))
  run = (statement: Statement) => this.#live(statement, () => this.#db.run(statement))

  async #live<Value>(statement: Statement, ask: () => Promise<Value>): Promise<Value> {
    const dies = this.#death !== undefined && statement.text.includes(this.#death[0])
    if (this.#isDead || (dies && this.#death?.[1] === 'before')) throw this.#die()
    const value = await ask()
    if (dies) throw this.#die()
    return value
  }
  #die(): Error {
    this.#isDead = true
    return new Error('this node is dead')
  }
}

const log = createLog({ level: 'silent' })
/** Far above what a call takes here: time must not decide. */
const ISSUER_TIMEOUT_MS = 60_000
/** Past every lease, pause and look-up. */
const LONG_MS = 600_000
/** More rounds than any operation needs until it is final. */
const ROUNDS_MAX = 40
const LOOK_UP_DELAYS_MS = [0, 60_000]
/** What the issuer says about itself is not part of this world. */
const ABOUT: AboutSource = { known: () => PROTOCOL_1_0, read: async () => PROTOCOL_1_0 }

/** The client of the live issuer, for the sandbox too. Some of its answers are of a form that it never gives. */
function createIssuer(clock: VirtualTime, { transmit }: Wire): IssuerScript {
  const peer = {
    baseUrl: 'https://issuer.example',
    secret: ISSUER_SECRET,
    timeoutMs: ISSUER_TIMEOUT_MS,
    clock,
    transmit,
  }
  const limits = { invoiceMinimum: cents(1_000n), callsMax: 1_000, hasFence: false }
  const issuer = createHttpIssuer({ ...peer, ...limits, about: ABOUT, lookUpDelaysMs: LOOK_UP_DELAYS_MS })
  const damage = async ({ amount }: IssuerRequest, answering: Promise<IssuerOutcome>): Promise<IssuerOutcome> => {
    const outcome = await answering
    const isDamaged = outcome.kind === 'confirmed' && planOf(amount) === 'done, malformed answer'
    return isDamaged ? { kind: 'confirmed', receipt: 'R\u0000', last4: 'four' } : outcome
  }
  return {
    ...issuer,
    issueCard: (request) => damage(request, issuer.issueCard(request)),
    topUpCard: (request) => damage(request, issuer.topUpCard(request)),
    orderService: (request) => damage(request, issuer.orderService(request)),
  }
}

export class World {
  readonly book: Book
  readonly issuer: IssuerScript
  readonly wire: Wire
  readonly companies: BookCompany[] = []
  /** What was credited, by company. */
  readonly deposited = new Map<string, bigint>()
  /** The operations that were answered with success, with their companies. */
  readonly acknowledged = new Map<string, BookCompany>()
  readonly decided = new Map<string, 'completed' | 'failed'>()
  readonly violations: string[] = []
  readonly #intakes: Intake[]
  readonly #deposits = new Map<string, Promise<unknown>>()

  private constructor(book: Book, wire: Wire, issuer: IssuerScript) {
    this.book = book
    this.wire = wire
    this.issuer = issuer
    this.#intakes = [0, 1].map(() =>
      createIntake({ db: book.db, clock: book.clock, log, grouping: testGrouping(), onAccepted: () => {} }),
    )
  }

  /** `misbehave` wraps the issuer, for worlds whose faults the checks must detect. */
  static async make(
    book: Book & { readonly clock: VirtualTime },
    funds: readonly bigint[],
    misbehave = (issuer: IssuerScript) => issuer,
  ): Promise<World> {
    const wire = new Wire(book.clock)
    const world = new World(book, wire, misbehave(createIssuer(book.clock, wire)))
    for (const amount of funds) {
      const company = await book.addCompany()
      world.companies.push(company)
      await world.fund(company, amount, 'first')
    }
    return world
  }

  company(index: number): BookCompany {
    const company = this.companies[index % this.companies.length]
    if (company === undefined) throw new Error('no company')
    return company
  }

  async fund(company: BookCompany, amount: bigint, key: string): Promise<void> {
    const name = `${company.scope.companyId} ${key}`
    const isFirst = !this.#deposits.has(name)
    const credit = this.book.fund(company, amount, key)
    if (!isFirst) return void (await credit)
    this.#deposits.set(name, credit)
    const before = this.deposited.get(company.scope.companyId) ?? 0n
    this.deposited.set(company.scope.companyId, before + amount)
    await credit
  }

  async accept(company: BookCompany, candidate: Candidate, path: 'intake' | 'other intake' | 'lost'): Promise<void> {
    // Lose the answer to the first request. The repeated request below shows whether it was accepted.
    if (path === 'lost') await this.book.acceptOne(candidate)
    const verdict = await this.#intakes[path === 'intake' ? 0 : 1]?.accept(candidate)
    if (verdict?.kind === 'accepted' || verdict?.kind === 'replay') this.acknowledged.set(verdict.operation.id, company)
  }

  node(death?: Death): RequestWorker {
    const db = new MortalDb(this.book.db, death)
    const { clock } = this.book
    const grouping = testGrouping()
    const settler = createSettler({ db, clock, grouping })
    const gates = createGates(this.issuer, { clock, timeoutMs: ISSUER_TIMEOUT_MS })
    const issuerTimeoutMs = ISSUER_TIMEOUT_MS
    return createOperationsWorker({ db, clock, log, settler, gates, issuerTimeoutMs, grouping, onRoom: () => {} })
  }

  /** Runs one claim and one round of look-ups on a node that may die meanwhile. */
  async work(death?: Death): Promise<void> {
    const node = this.node(death)
    for (const job of [node.claims, node.lookUps]) await job.run().catch(() => undefined)
    await node.idle()
  }

  async resolve(pick: number, outcome: 'completed' | 'failed'): Promise<void> {
    const open = (await this.operations()).filter(({ status }) => status === 'manual_review')
    const row = open[pick % Math.max(open.length, 1)]
    if (row === undefined) return
    const actor = programActor('operator')
    const decision = { outcome, reason: 'decided' }
    const kind = operationReviewKind(this.book)
    const found = await resolveReview(this.book, kind, row, { actor, decision }).catch(() => undefined)
    if (found !== undefined) this.decided.set(row.id, outcome)
  }

  async seal(limit: number): Promise<void> {
    for (const { scope } of this.companies)
      await this.book.many('select seal_entries($1, $2, $3, $4)', [
        scope.companyId,
        this.book.clock.now(),
        'sandbox',
        limit,
      ])
  }

  operations(): Promise<OperationRow[]> {
    return this.book.many<OperationRow>('select * from operation where company_id = any($1) order by id', [
      this.companies.map(({ scope }) => scope.companyId),
    ])
  }

  /** Runs healthy nodes and moves the clock until nothing is queued or under way. */
  async finish(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      await this.work()
      const open = (await this.operations()).filter(({ status }) => status === 'queued' || status === 'processing')
      if (open.length === 0) return
      this.book.clock.advance(LONG_MS)
    }
    this.violations.push('work was left over')
  }

  /** Returns everything that is wrong at this moment. */
  async findProblems(): Promise<string[]> {
    const problems = [...this.violations, ...this.wire.violations, ...this.wire.issuer.violations]
    for (const company of this.companies) {
      problems.push(...(await this.book.differencesOf(company)), ...(await this.#checkBook(company)))
    }
    const operations = await this.operations()
    for (const operation of operations) problems.push(...this.#checkEvidence(operation))
    const known = new Set(operations.map(({ id }) => id))
    for (const id of this.acknowledged.keys()) if (!known.has(id)) problems.push(`${id} was acknowledged and is lost`)
    return problems
  }

  /** Derives the figures from entries and operations, independently of the audit. */
  async #checkBook(company: BookCompany): Promise<string[]> {
    const problems: string[] = []
    const { companyId } = company.scope
    const { available, held } = await this.book.balance(company)
    const entries = await this.book.many<{ number: bigint; available_delta: bigint; held_delta: bigint }>(
      "select number, available_delta, held_delta from entry where company_id = $1 and environment = 'sandbox' order by number",
      [companyId],
    )
    const sum = { available: 0n, held: 0n }
    for (const [index, entry] of entries.entries()) {
      sum.available += entry.available_delta
      sum.held += entry.held_delta
      if (entry.number !== BigInt(index + 1)) problems.push(`entry ${entry.number} stands at ${index + 1}`)
      if (sum.available < 0n || sum.held < 0n) problems.push(`below zero after entry ${entry.number}`)
    }
    if (sum.available !== available || sum.held !== held) problems.push('the balance is not the sum of the entries')
    const operations = (await this.operations()).filter((row) => row.company_id === companyId)
    const totalOf = (wanted: readonly string[]) =>
      operations
        .filter(({ status }) => wanted.includes(status))
        .reduce((total, row) => total + row.amount + row.fee, 0n)
    if (held !== totalOf(['queued', 'processing', 'manual_review'])) problems.push('held is not what is unfinished')
    const spent = totalOf(['completed'])
    if (available + held !== (this.deposited.get(companyId) ?? 0n) - spent) problems.push('money came or went')
    return [...problems, ...(await this.#checkCards(companyId, operations))]
  }

  async #checkCards(companyId: string, operations: readonly OperationRow[]): Promise<string[]> {
    const problems: string[] = []
    const cards = await this.book.many<{ id: string; balance: bigint }>(
      'select id, balance from card where company_id = $1',
      [companyId],
    )
    const done = operations.filter(({ status }) => status === 'completed')
    if (cards.length !== done.filter(({ type }) => type === 'issue').length)
      problems.push('cards are not the completed issues')
    for (const card of cards) {
      const loads = done.filter(({ card_id: id }) => id === card.id)
      if (card.balance !== loads.reduce((total, { amount }) => total + amount, 0n))
        problems.push('a card holds what was not loaded')
    }
    return problems
  }

  #checkEvidence({ id, status, amount }: OperationRow): string[] {
    const { wire } = this
    const problems: string[] = []
    const plan = planOf(amount)
    const requests = wire.requestsOf(id)
    if (requests > 1) problems.push(`${plan}: ${requests} requests left for one operation`)
    if (status === 'completed' && !wire.issuer.hasDone(id) && this.decided.get(id) !== 'completed')
      problems.push(`${plan}: completed without evidence`)
    const isProvenUnsent = requests === 0 && wire.unsent.get(id) === UNSENT_TRIES
    if (status === 'failed' && !wire.hasDeclined(id) && !isProvenUnsent && this.decided.get(id) !== 'failed')
      problems.push(`${plan}: failed without evidence`)
    return problems
  }

  /** What an abandoned run left in the queue must not reach the next one's issuer. */
  static async sweep(book: Book): Promise<void> {
    await book.run("update issuer_request set due_at = 'infinity'")
  }
}
