// The exact text of a statement, which its digest covers: a fixed order of fields, without white space. It must be the text
// that the server writes.
import type { Statement, StatementEntry } from '@cardstock/sdk'
import { sha256, toBytes, toHex } from './hash.ts'

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

const NUMBER_DIGITS = 16

/** Returns a function from an entry's number to its id. */
export async function entryIds(companyId: string, environment: string): Promise<(number: number) => string> {
  const account = toHex(await sha256(toBytes(`${companyId} ${environment}`)))
  return (number) => `ent_${account.slice(0, 16)}${number.toString(16).padStart(NUMBER_DIGITS, '0')}`
}

/** Returns the digest that a statement must have. It does not depend on the order in which the fields arrived. */
export async function digestOf(statement: Statement): Promise<string> {
  const { company, proof } = statement
  const head = JSON.stringify({
    company: { id: company.id, name: company.name },
    environment: statement.environment,
    currency: statement.currency,
    account: statement.account,
    from: statement.from,
    to: statement.to,
    openingBalance: statement.openingBalance,
    closingBalance: statement.closingBalance,
    incoming: statement.incoming,
    outgoing: statement.outgoing,
    generatedAt: statement.generatedAt,
  })
  const pick = (entry: StatementEntry) => Object.fromEntries(ENTRY_FIELDS.map((field) => [field, entry[field]]))
  const entries = statement.data.map((entry) => JSON.stringify(pick(entry))).join(',')
  const { firstNumber, lastNumber, openingHeld, hashBefore, hashAfter } = proof
  const tail = JSON.stringify({ firstNumber, lastNumber, openingHeld, hashBefore, hashAfter })
  return toHex(await sha256(toBytes(`${head.slice(0, -1)},"data":[${entries}],"proof":${tail}}`)))
}
