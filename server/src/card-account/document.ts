// The JSON document of a statement, and its exact text: a fixed order of fields, without white space. The server sends this
// text, and the digest covers it. Whoever checks a statement writes the same text again. Must not need anything but Node.
import { createHash } from 'node:crypto'
import type { Steps } from '../lib/steps.ts'
import type { EntryKind } from './rules.ts'

export interface StatementEntry {
  id: string
  reference: string
  kind: EntryKind
  description: string
  amount: string
  balance: string
  availableDelta: string
  heldDelta: string
  createdAt: string
}
export const ENTRY_FIELDS = [
  'id',
  'reference',
  'kind',
  'description',
  'amount',
  'balance',
  'availableDelta',
  'heldDelta',
  'createdAt',
] as const satisfies readonly (keyof StatementEntry)[]

/** Additive to the specification: what the ledger's hash chain says about these entries. */
export interface StatementProof {
  /** Numbers of the first and the last entry; without entries the last is one less than the first. */
  firstNumber: number
  lastNumber: number
  /** What was held before the first entry. The chain covers it, and the entries do not show it. */
  openingHeld: string
  /** Hex of the chain's value before the first and after the last entry. */
  hashBefore: string
  hashAfter: string
  /** Hex of the SHA-256 of the document's text without this field. */
  digest: string
}

export interface Statement {
  company: { id: string; name: string }
  environment: string
  currency: string
  account: string
  from: string
  to: string
  openingBalance: string
  closingBalance: string
  incoming: string
  outgoing: string
  generatedAt: string
  data: StatementEntry[]
  proof: StatementProof
}

/** By kind and prefix of the reference. The description follows from the entry, so that an altered one is noticed. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'deposit fund': 'Sandbox funding',
  'deposit inv': 'Deposit by invoice',
  'deposit rev': 'Payment after its invoice was closed',
  'fee op': 'Fee of an operation',
  'fee inv': 'Fee of a deposit',
  'fee rev': 'Fee of a deposit',
  'fee fund': 'Fee of a deposit',
  'reservation op': 'Reserved for an operation',
  'capture op': 'Paid for an operation',
  'release op': 'Released, the operation did not take place',
  'adjustment card': 'Balance of a closed card',
  'adjustment txn': 'Later credit of a closed card',
  'adjustment op': 'Top-up of a closed card, returned',
}

export function describeEntry(kind: string, prefix: string): string | undefined {
  return DESCRIPTIONS[`${kind} ${prefix}`]
}

export const ENTRY_NUMBER_DIGITS = 16

/** Returns the part that the ids of all entries of an account begin with. */
export function entryIdStart(companyId: string, environment: string): string {
  return `ent_${createHash('sha256').update(`${companyId} ${environment}`).digest('hex').slice(0, 16)}`
}

/** Returns a function from an entry's number to its id. Ids are unique everywhere and sort in the order of the entries. */
export function entryIds(companyId: string, environment: string): (number: number) => string {
  const start = entryIdStart(companyId, environment)
  return (number) => start + number.toString(16).padStart(ENTRY_NUMBER_DIGITS, '0')
}

/** A statement without its entries, which are long, and without its digest. */
export type Frame = Omit<Statement, 'data' | 'proof'> & { proof: Omit<StatementProof, 'digest'> }

export interface EntryWriter {
  readonly bytesMax: number
  /** Writes the entries step by step, beginning at `at`. Yields the end of each step, and returns the last one. */
  write(out: Buffer, at: number): Generator<number, number, void>
}

/** Writes the text of the document. It uses a single buffer, because a second one of megabytes would cost more than the writing. */
export function* writeDocument(frame: Frame, entries: EntryWriter): Steps<Buffer> {
  const { before, after } = writeFrame(frame)
  const out = Buffer.allocUnsafe(Buffer.byteLength(before) + entries.bytesMax + after.length + DIGEST_BYTES_MAX)
  const hash = createHash('sha256')
  let end = 0
  const hashUpTo = (next: number) => {
    hash.update(out.subarray(end, next))
    end = next
  }
  const steps = entries.write(out, out.write(before))
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) {
    hashUpTo(step.value)
    yield
  }
  hashUpTo(step.value + out.write(after, step.value))
  end += out.write(`,"digest":"${hash.digest('hex')}"}}`, end - BRACES.length) - BRACES.length
  return out.subarray(0, end)
}

/** What the document ends with; the digest goes before it. */
const BRACES = '}}'
/** The digest with its name and the braces takes 78. */
const DIGEST_BYTES_MAX = 100

/** Returns the digest that a statement must have. It does not depend on the order in which the fields arrived. */
export function digestOf(statement: Statement): string {
  const pick = (entry: StatementEntry) => Object.fromEntries(ENTRY_FIELDS.map((field) => [field, entry[field]]))
  const entries = statement.data.map((entry) => JSON.stringify(pick(entry))).join(',')
  const { before, after } = writeFrame(statement)
  return createHash('sha256').update(before).update(entries).update(after).digest('hex')
}

/** Returns the text before and after the entries. */
function writeFrame({ proof, company, ...rest }: Frame): { before: string; after: string } {
  const head = JSON.stringify({
    company: { id: company.id, name: company.name },
    environment: rest.environment,
    currency: rest.currency,
    account: rest.account,
    from: rest.from,
    to: rest.to,
    openingBalance: rest.openingBalance,
    closingBalance: rest.closingBalance,
    incoming: rest.incoming,
    outgoing: rest.outgoing,
    generatedAt: rest.generatedAt,
  })
  const { firstNumber, lastNumber, openingHeld, hashBefore, hashAfter } = proof
  const tail = JSON.stringify({ firstNumber, lastNumber, openingHeld, hashBefore, hashAfter })
  return { before: `${head.slice(0, -1)},"data":[`, after: `],"proof":${tail}}` }
}
