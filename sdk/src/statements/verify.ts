// Checks a statement offline, with nothing but the statement itself: its figures, its entries, the hash chain and its
// digest. It shows that the document is consistent in itself, not that the server wrote it: the hashes have no key. To see that two
// statements belong to the same chain, compare hashBefore with the hashAfter of the previous statement. Pure.
import { amounts } from '../amounts.ts'
import { fromHex, toHex } from '../bytes.ts'
import type { Statement, StatementEntry } from '../generated/types.ts'
import { chainStartText, chainText } from './chain.ts'
import { DAY_MS, findDay } from './days.ts'
import { digestOf } from './document.ts'
import { describeEntry, entryIds, fitsKind } from './entry.ts'
import { sha256 } from './sha256.ts'
import { checkShape, type StatementProblem } from './shape.ts'

export interface StatementVerdict {
  /** How many entries were checked. */
  readonly entries: number
  /** Empty if the statement is consistent in itself. At most 20. */
  readonly problems: readonly StatementProblem[]
}

/** The first problems show what was altered; nobody would read more. */
const PROBLEMS_MAX = 20

/** Accepts any value, such as the parsed JSON of a file. Never throws: what is not a statement has problems, too. */
export function verifyStatement(document: unknown): StatementVerdict {
  const { statement, problems: misshapen } = checkShape(document)
  if (statement === undefined) return { entries: 0, problems: misshapen.slice(0, PROBLEMS_MAX) }
  const entries = statement.data.length
  const problems = [...checkHead(statement), ...checkEntries(statement), ...checkTotals(statement)]
  if (problems.length === 0) problems.push(...checkChain(statement))
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

function checkHead({ currency, account, from, to, proof, data }: Statement): StatementProblem[] {
  const problems: StatementProblem[] = []
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

function checkEntries(statement: Statement): StatementProblem[] {
  const { company, environment, from, to, proof, data } = statement
  const problems: StatementProblem[] = []
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
        `is ${entry.amount}, but availableDelta and heldDelta add up to ${amounts.format(available + heldDelta)}`,
      )
    if (toCents(entry.balance) !== balance + amount)
      report(
        'balance',
        `is ${entry.balance}, but the previous balance and the amount add up to ${amounts.format(balance + amount)}`,
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

function checkTotals({ openingBalance, closingBalance, incoming, outgoing, data }: Statement): StatementProblem[] {
  const problems: StatementProblem[] = []
  const moved = data.map((entry) => toCents(entry.amount))
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
  const expect = (where: string, shown: string, derived: bigint) => {
    if (toCents(shown) !== derived)
      problems.push({ where, problem: `is ${shown}, but the entries add up to ${amounts.format(derived)}` })
  }
  expect('incoming', incoming, sum(moved.filter((amount) => amount > 0n)))
  expect('outgoing', outgoing, -sum(moved.filter((amount) => amount < 0n)))
  expect('closingBalance', closingBalance, toCents(openingBalance) + sum(moved))
  return problems
}

/** Checks the ledger's hash chain: each value is the SHA-256 of the previous value and the entry's text (docs/statements.md). */
function checkChain({ company, environment, data, proof, ...statement }: Statement): StatementProblem[] {
  const problems: StatementProblem[] = []
  if (proof.firstNumber === 1) {
    const start = toHex(sha256(chainStartText(toUuid(company.id), environment)))
    if (proof.hashBefore !== start)
      problems.push({
        where: 'proof.hashBefore, company.id or environment',
        problem: 'is not the start of the chain of this account',
      })
    if (toCents(statement.openingBalance) !== 0n || toCents(proof.openingHeld) !== 0n)
      problems.push({ where: 'openingBalance', problem: 'must be 0.00 before the first entry of the account' })
  }
  let hash = fromHex(proof.hashBefore)
  let held = toCents(proof.openingHeld)
  for (const [index, entry] of data.entries()) {
    const heldDelta = toCents(entry.heldDelta)
    held += heldDelta
    const text = chainText({
      number: proof.firstNumber + index,
      kind: entry.kind,
      reference: toUuid(entry.reference),
      availableDelta: toCents(entry.availableDelta),
      heldDelta,
      balance: toCents(entry.balance),
      held,
      createdAt: Date.parse(entry.createdAt),
    })
    hash = sha256(hash, text)
  }
  if (toHex(hash) !== proof.hashAfter) {
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
