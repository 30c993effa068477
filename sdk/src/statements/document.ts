// The exact text of a statement's JSON document, which its digest covers: a fixed order of fields, without white space. The
// server writes this text, and whoever checks a statement writes the same text again.
import { toHex } from '../bytes.ts'
import type { Statement, StatementProof } from '../generated/types.ts'
import { ENTRY_FIELDS } from './fields.ts'
import { sha256 } from './sha256.ts'

/** A statement without its entries, which are long, and without its digest. */
export type StatementFrame = Omit<Statement, 'data' | 'proof'> & {
  /** What proves the statement, without its digest. */
  proof: Omit<StatementProof, 'digest'>
}

/** Returns the text before and after the entries, which commas separate. The digest is not part of it. */
export function writeFrame({ proof, company, ...rest }: StatementFrame): {
  /** The text before the entries. */
  before: string
  /** The text after the entries. */
  after: string
} {
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

/** Returns the digest that a statement must have, in hex. It does not depend on the order in which the fields arrived. */
export function digestOf(statement: Statement): string {
  // A list of names makes JSON.stringify write these fields, in this order.
  const entries = JSON.stringify(statement.data, [...ENTRY_FIELDS]).slice(1, -1)
  const { before, after } = writeFrame(statement)
  return toHex(sha256(before + entries + after))
}
