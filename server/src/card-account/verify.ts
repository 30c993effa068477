// Checks a statement offline, with nothing but the statement itself: its figures, its entries, the hash chain and its
// digest. It shows that the document is consistent in itself, not that the server wrote it: the hashes have no key. To see that two
// statements belong to the same chain, compare hashBefore with the hashAfter of the previous statement. Pure.
import { createHash } from 'node:crypto'
import { describeEntry, digestOf, entryIds, type Statement, type StatementEntry } from './document.ts'
import { DAY_MS, findDay } from './rules.ts'
import { checkShape } from './shape.ts'

export interface Problem {
  /** The field, such as `data[3].amount`. */
  readonly where: string
  readonly problem: string
}

export interface Verdict {
  readonly entries: number
  /** Empty if the statement is consistent in itself. */
  readonly problems: readonly Problem[]
}

/** The first problems show what was altered; nobody would read more. */
const PROBLEMS_MAX = 20

export function verifyStatement(document: unknown): Verdict {
  const { statement, problems: misshapen } = checkShape(document)
  if (statement === undefined) return { entries: 0, problems: misshapen.slice(0, PROBLEMS_MAX) }
  const entries = statement.data.length
  const problems = [...checkHead(statement), ...checkEntries(statement), ...checkTotals(statement)]
  const chain = checkChain(statement)
  if (problems.length === 0) problems.push(...chain)
  // Every check above passed, so only a field that no other check covers can have been altered.
  if (problems.length === 0 && digestOf(statement) !== statement.proof.digest) {
    const where = 'company.name, from, to, generatedAt, a prefix in data[].reference, or proof.digest'
    problems.push({
      where,
      problem: 'the digest does not match: one of these fields was altered; all figures and the chain are consistent',
    })
  }
  return { entries, problems: problems.slice(0, PROBLEMS_MAX) }
}

function checkHead({ currency, account, from, to, proof, data }: Statement): Problem[] {
  const problems: Problem[] = []
  if (currency !== 'USD') problems.push({ where: 'currency', problem: 'must be USD' })
  if (account !== 'card_account') problems.push({ where: 'account', problem: 'must be card_account' })
  if (from > to) problems.push({ where: 'from', problem: 'is after to' })
  const counted = proof.lastNumber - proof.firstNumber + 1
  if (counted !== data.length) {
    const problem = `there are ${data.length} entries, but the numbers ${proof.firstNumber} to ${proof.lastNumber} are ${counted}`
    problems.push({ where: 'proof.firstNumber, proof.lastNumber, data', problem })
  }
  return problems
}

function checkEntries(statement: Statement): Problem[] {
  const { company, environment, from, to, proof, data } = statement
  const problems: Problem[] = []
  const idOf = entryIds(company.id, environment)
  const [start, until] = [findDay(from)?.getTime() ?? 0, (findDay(to)?.getTime() ?? 0) + DAY_MS]
  const wrongIds = data.filter((entry, index) => entry.id !== idOf(proof.firstNumber + index)).length
  if (wrongIds > 0 && wrongIds === data.length) {
    const where = 'company.id, environment, proof.firstNumber or data[].id'
    problems.push({ where, problem: 'the ids of the entries do not belong to this account and these numbers' })
  }
  let balance = toCents(statement.openingBalance)
  let held = toCents(proof.openingHeld)
  let previousMs = start
  for (const [index, entry] of data.entries()) {
    const report = (field: string, problem: string) => problems.push({ where: `data[${index}].${field}`, problem })
    const [amount, available, heldDelta] = [entry.amount, entry.availableDelta, entry.heldDelta].map(toCents) as [
      bigint,
      bigint,
      bigint,
    ]
    if (entry.id !== idOf(proof.firstNumber + index) && wrongIds < data.length)
      report('id', `is not the id of entry ${proof.firstNumber + index}`)
    if (entry.description !== describeEntry(entry.kind, prefixOf(entry)))
      report('description', `does not match the kind ${entry.kind} and the reference ${prefixOf(entry)}_…`)
    if (!fitsKind(entry.kind, available, heldDelta))
      report('kind, availableDelta or heldDelta', `a ${entry.kind} does not move money like that`)
    if (amount !== available + heldDelta)
      report(
        'amount',
        `is ${entry.amount}, but availableDelta and heldDelta add up to ${toText(available + heldDelta)}`,
      )
    if (toCents(entry.balance) !== balance + amount)
      report(
        'balance',
        `is ${entry.balance}, but the previous balance and the amount add up to ${toText(balance + amount)}`,
      )
    const ms = Date.parse(entry.createdAt)
    if (ms < previousMs || ms >= until)
      report(
        'createdAt',
        index === 0 || ms >= until ? `is outside ${from} to ${to}` : 'is earlier than that of the previous entry',
      )
    // Continue with the entry's own balance, so that one altered figure is reported only once.
    balance = toCents(entry.balance)
    held += heldDelta
    if (held < 0n || held > balance) report('heldDelta', 'makes the held amount negative or larger than the balance')
    previousMs = ms
    if (problems.length >= PROBLEMS_MAX) break
  }
  return problems
}

/** Whether a kind of entry moves money like that. */
export function fitsKind(kind: string, available: bigint, held: bigint): boolean {
  switch (kind) {
    case 'deposit':
      return available > 0n && held === 0n
    case 'fee':
      return (available < 0n && held === 0n) || (available === 0n && held < 0n)
    case 'reservation':
      return held > 0n && available === -held
    case 'capture':
      return held < 0n && available === 0n
    case 'release':
      return held < 0n && available === -held
    default:
      return available !== 0n && held === 0n
  }
}

function checkTotals({ openingBalance, closingBalance, incoming, outgoing, data }: Statement): Problem[] {
  const problems: Problem[] = []
  const amounts = data.map((entry) => toCents(entry.amount))
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
  const expect = (where: string, shown: string, derived: bigint) => {
    if (toCents(shown) !== derived)
      problems.push({ where, problem: `is ${shown}, but the entries add up to ${toText(derived)}` })
  }
  expect('incoming', incoming, sum(amounts.filter((amount) => amount > 0n)))
  expect('outgoing', outgoing, -sum(amounts.filter((amount) => amount < 0n)))
  expect('closingBalance', closingBalance, toCents(openingBalance) + sum(amounts))
  return problems
}

/** Checks the ledger's hash chain: each value is the SHA-256 of the previous value and the entry's text (docs/ledger.md). */
function checkChain({ company, environment, data, proof, ...statement }: Statement): Problem[] {
  const problems: Problem[] = []
  const companyUuid = toUuid(company.id)
  if (proof.firstNumber === 1) {
    const start = createHash('sha256').update(`cardstock ledger ${companyUuid} ${environment}`).digest('hex')
    if (proof.hashBefore !== start)
      problems.push({
        where: 'proof.hashBefore, company.id or environment',
        problem: 'is not the start of the chain of this account',
      })
    if (toCents(statement.openingBalance) !== 0n || toCents(proof.openingHeld) !== 0n)
      problems.push({ where: 'openingBalance', problem: 'must be 0.00 before the first entry of the account' })
  }
  let hash = Buffer.from(proof.hashBefore, 'hex')
  let held = toCents(proof.openingHeld)
  for (const [index, entry] of data.entries()) {
    const heldDelta = toCents(entry.heldDelta)
    held += heldDelta
    const text = [
      proof.firstNumber + index,
      entry.kind,
      toUuid(entry.reference),
      toCents(entry.availableDelta),
      heldDelta,
      toCents(entry.balance),
      held,
      Date.parse(entry.createdAt),
    ].join('|')
    hash = createHash('sha256').update(hash).update(text).digest()
  }
  if (hash.toString('hex') !== proof.hashAfter) {
    const where = `proof.hashBefore, proof.hashAfter, proof.openingHeld, or kind, reference or createdAt of data[0] to data[${data.length - 1}]`
    problems.push({
      where: data.length === 0 ? 'proof.hashBefore or proof.hashAfter' : where,
      problem:
        'the hash chain does not lead from hashBefore to hashAfter: one of these fields was altered; all figures are consistent',
    })
  }
  return problems
}

function prefixOf(entry: StatementEntry): string {
  return entry.reference.slice(0, entry.reference.indexOf('_'))
}

function toUuid(wireId: string): string {
  const hex = wireId.slice(wireId.indexOf('_') + 1)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function toCents(amount: string): bigint {
  return BigInt(amount.replace('.', ''))
}

function toText(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
