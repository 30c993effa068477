// A statement as a document, and the one text that stands for it: fixed order of fields, no white space. The server
// sends that text, and its digest covers it; a check of a statement writes it again. Must not need anything but Node.
import { createHash } from 'node:crypto'
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
  /** What was held before the first entry: the chain covers it, the entries do not show it. */
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

/** By kind and by the prefix of the reference; a fact of the entry, so that an altered one is noticed. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'deposit fund': 'Sandbox funding',
  'deposit inv': 'Deposit by invoice',
  'fee op': 'Fee of an operation',
  'fee inv': 'Fee of a deposit',
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

/** Of the account, and the entry's number in it: unique everywhere, and in the order of the entries. */
export function entryIds(companyId: string, environment: string): (number: number) => string {
  const account = createHash('sha256').update(`${companyId} ${environment}`).digest('hex').slice(0, 16)
  return (number) => `ent_${account}${number.toString(16).padStart(16, '0')}`
}

/** The document's text; the same for the same fields, whatever order they arrived in. */
export function writeStatement(statement: Statement): string {
  const text = writeWithoutDigest(statement)
  return `${text.slice(0, -2)},"digest":"${statement.proof.digest}"}}`
}

export function digestOf(statement: Omit<Statement, 'proof'> & { proof: Omit<StatementProof, 'digest'> }): string {
  return createHash('sha256').update(writeWithoutDigest(statement)).digest('hex')
}

/** A statement from everything but the digest, with its text: the text is long, and written once. */
export function finish(draft: Omit<Statement, 'proof'> & { proof: Omit<StatementProof, 'digest'> }): {
  statement: Statement
  text: string
} {
  const unsigned = writeWithoutDigest(draft)
  const digest = createHash('sha256').update(unsigned).digest('hex')
  const statement = { ...draft, proof: { ...draft.proof, digest } }
  return { statement, text: `${unsigned.slice(0, -2)},"digest":"${digest}"}}` }
}

function writeWithoutDigest({
  data,
  proof,
  ...rest
}: Omit<Statement, 'proof'> & { proof: Omit<StatementProof, 'digest'> }) {
  const head = JSON.stringify({
    company: { id: rest.company.id, name: rest.company.name },
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
  return `${head.slice(0, -1)},"data":[${writeEntries(data)}],"proof":${tail}}`
}

/** Without escaping: no field of an entry can hold a character that JSON would escape. Three times as fast. */
function writeEntries(entries: readonly StatementEntry[]): string {
  let text = ''
  for (const entry of entries) {
    text += `${text === '' ? '' : ','}{"id":"${entry.id}","reference":"${entry.reference}","kind":"${entry.kind}","description":"${entry.description}","amount":"${entry.amount}","balance":"${entry.balance}","availableDelta":"${entry.availableDelta}","heldDelta":"${entry.heldDelta}","createdAt":"${entry.createdAt}"}`
  }
  return text
}
