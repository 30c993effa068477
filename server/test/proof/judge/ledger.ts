// Replays every account's entries, in their order, on a small model of an account, and compares the model with what is
// stored. It knows the ledger only from docs/ledger.md and shares no code with it.
import { byId, groupBy, scopeName } from './scopes.ts'
import type { AccountRow, DepositRow, EntryRow, OperationRow, Snapshot } from './snapshot.ts'

interface Open {
  readonly operation: OperationRow
  captured: boolean
  charged: boolean
  released: boolean
}

interface Books {
  readonly operations: ReadonlyMap<string, OperationRow>
  readonly deposits: ReadonlyMap<string, DepositRow>
}

/** One account, as the documentation describes it. */
class Model {
  available = 0n
  held = 0n
  readonly problems: string[] = []
  readonly #reserved = new Map<string, Open>()
  readonly #credited = new Set<string>()
  readonly #books: Books
  readonly #name: string

  constructor(name: string, books: Books) {
    this.#name = name
    this.#books = books
  }

  apply(entry: EntryRow): void {
    const at = `entry ${entry.number} of ${this.#name}`
    this.available += entry.available_delta
    this.held += entry.held_delta
    if (this.available < 0n) this.#report(`${at} makes the available balance negative (${this.available})`)
    if (this.held < 0n) this.#report(`${at} makes the held balance negative (${this.held})`)
    if (entry.balance !== this.available + this.held || entry.held !== this.held) {
      this.#report(`${at} records other balances than the sum of the entries up to it`)
    }
    switch (entry.kind) {
      case 'reservation':
        return this.#reserve(entry, at)
      case 'capture':
      case 'release':
        return this.#end(entry, at)
      case 'fee':
        return entry.held_delta === 0n ? this.#chargeDeposit(entry, at) : this.#charge(entry, at)
      case 'deposit':
        return this.#deposit(entry, at)
      case 'adjustment':
        if (entry.available_delta <= 0n) this.#report(`${at} is an adjustment that takes money away`)
    }
  }

  /** What must hold after the last entry. */
  finish(operations: readonly OperationRow[]): void {
    for (const operation of operations) this.#finishOperation(operation)
    for (const { id, source } of this.#books.deposits.values()) {
      if (!this.#credited.has(id)) this.#report(`${nameOf(source)} ${id} of ${this.#name} was never credited`)
    }
    const unresolved = operations.filter(({ status }) => status !== 'completed' && status !== 'failed')
    const total = unresolved.reduce((sum, { amount, fee }) => sum + amount + fee, 0n)
    if (total !== this.held) {
      this.#report(`${this.#name} holds ${this.held}, but its unresolved operations add up to ${total}`)
    }
  }

  #finishOperation({ id, status, fee }: OperationRow): void {
    const open = this.#reserved.get(id)
    if (open === undefined) return this.#report(`operation ${id} has no reservation`)
    const { captured, released, charged } = open
    if (captured !== (status === 'completed')) {
      this.#report(`operation ${id} is ${status} and was ${captured ? '' : 'not '}captured`)
    }
    if (released !== (status === 'failed')) {
      this.#report(`operation ${id} is ${status} and was ${released ? '' : 'not '}released`)
    }
    if (charged !== (captured && fee > 0n))
      this.#report(`operation ${id} is ${status}, but its fee is not as it must be`)
  }

  #reserve({ reference, held_delta: total, available_delta }: EntryRow, at: string): void {
    const operation = this.#books.operations.get(reference)
    if (operation === undefined)
      return this.#report(`${at} reserves for ${reference}, which is no operation of this account`)
    if (this.#reserved.has(reference)) this.#report(`${at} is a second reservation of operation ${reference}`)
    if (total !== operation.amount + operation.fee || available_delta !== -total) {
      this.#report(`${at} does not reserve the total of operation ${reference}`)
    }
    this.#reserved.set(reference, { operation, captured: false, charged: false, released: false })
  }

  #end({ kind, reference, held_delta, available_delta }: EntryRow, at: string): void {
    const open = this.#reserved.get(reference)
    if (open === undefined) return this.#report(`${at} is a ${kind} of ${reference}, which was not reserved before`)
    if (open.captured || open.released) this.#report(`${at} ends operation ${reference} a second time`)
    const { amount, fee } = open.operation
    const wanted =
      kind === 'capture' ? { held: -amount, available: 0n } : { held: -amount - fee, available: amount + fee }
    if (held_delta !== wanted.held || available_delta !== wanted.available) {
      this.#report(`${at} is a ${kind} of another amount than operation ${reference}`)
    }
    if (kind === 'capture') open.captured = true
    else open.released = true
  }

  #charge({ reference, held_delta }: EntryRow, at: string): void {
    const open = this.#reserved.get(reference)
    if (open?.captured !== true)
      return this.#report(`${at} charges the fee of ${reference}, which was not captured before`)
    if (open.charged) this.#report(`${at} charges the fee of operation ${reference} a second time`)
    if (held_delta !== -open.operation.fee)
      this.#report(`${at} charges another fee than that of operation ${reference}`)
    open.charged = true
  }

  #deposit({ reference, available_delta }: EntryRow, at: string): void {
    const deposit = this.#books.deposits.get(reference)
    if (deposit === undefined) return this.#report(`${at} credits ${reference}, which is no deposit of this account`)
    if (this.#credited.has(reference))
      this.#report(`${at} credits ${nameOf(deposit.source)} ${reference} a second time`)
    if (available_delta !== deposit.amount)
      this.#report(`${at} credits another amount than ${nameOf(deposit.source)} ${reference}`)
    this.#credited.add(reference)
  }

  #chargeDeposit({ reference, available_delta }: EntryRow, at: string): void {
    const deposit = this.#books.deposits.get(reference)
    if (!this.#credited.has(reference)) this.#report(`${at} charges ${reference}, which was not credited before`)
    if (available_delta !== -(deposit?.fee ?? 0n)) this.#report(`${at} charges another fee than that of ${reference}`)
  }

  #report(problem: string): void {
    this.problems.push(problem)
  }
}

export function judgeLedger(snapshot: Snapshot): string[] {
  const entries = groupBy(snapshot.entries, scopeName)
  const operations = groupBy(snapshot.operations, scopeName)
  const deposits = groupBy(snapshot.deposits, scopeName)
  return snapshot.accounts.flatMap((account) => {
    const name = scopeName(account)
    const own = operations.get(name) ?? []
    const books = { operations: byId(own), deposits: byId(deposits.get(name) ?? []) }
    return judgeAccount(account, { own, books, entries: entries.get(name) ?? [] })
  })
}

function judgeAccount(
  account: AccountRow,
  { own, books, entries }: { own: readonly OperationRow[]; books: Books; entries: readonly EntryRow[] },
): string[] {
  const name = scopeName(account)
  const model = new Model(name, books)
  const problems: string[] = []
  let lastMs = -Infinity
  for (const [index, entry] of entries.entries()) {
    if (entry.number !== BigInt(index + 1))
      problems.push(`the entries of ${name} have a gap before entry ${entry.number}`)
    if (entry.created_at.getTime() < lastMs)
      problems.push(`entry ${entry.number} of ${name} is older than the one before it`)
    lastMs = entry.created_at.getTime()
    model.apply(entry)
  }
  model.finish(own)
  if (account.available < 0n || account.held < 0n) problems.push(`the balance of ${name} is negative`)
  if (account.available !== model.available || account.held !== model.held) {
    problems.push(
      `the balance of ${name} is ${account.available} available and ${account.held} held, but its entries sum to ${model.available} and ${model.held}`,
    )
  }
  if (account.sequence !== BigInt(entries.length)) {
    problems.push(`${name} counts ${account.sequence} entries and has ${entries.length}`)
  }
  return [...problems, ...model.problems]
}

function nameOf(source: DepositRow['source']): string {
  return { fund: 'deposit', inv: 'invoice', rev: 'payment review' }[source]
}
