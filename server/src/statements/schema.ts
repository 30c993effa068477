// Statements on the wire.
import { Type } from 'typebox'
import { Amount, EnvironmentSchema, object, SignedAmount, Timestamp } from '../lib/wire.ts'
import { ENTRY_KINDS, FORMATS } from './rules.ts'

const Day = Type.String({ maxLength: 10, pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'a date such as 2026-01-31' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const StatementQuery = object({
  from: Day,
  to: Day,
  format: Type.Optional(Type.Enum([...FORMATS])),
})

const Entry = object(
  {
    id: Type.String(),
    reference: Type.String({
      description:
        'id of the operation, invoice, payment review, sandbox deposit, card or transaction that the entry belongs to',
    }),
    kind: Type.Enum([...ENTRY_KINDS]),
    description: Type.String(),
    amount: SignedAmount,
    balance: SignedAmount,
    availableDelta: SignedAmount,
    heldDelta: SignedAmount,
    createdAt: Timestamp,
  },
  'StatementEntry',
)

export const StatementSchema = object(
  {
    company: object({ id: Type.String(), name: Type.String() }),
    environment: EnvironmentSchema,
    currency: Type.String(),
    account: Type.Literal('card_account'),
    from: Day,
    to: Day,
    openingBalance: SignedAmount,
    closingBalance: SignedAmount,
    incoming: Amount,
    outgoing: Amount,
    generatedAt: Timestamp,
    data: Type.Array(Entry),
    proof: object({
      firstNumber: Type.Integer(),
      lastNumber: Type.Integer(),
      openingHeld: Amount,
      hashBefore: Hash,
      hashAfter: Hash,
      digest: Hash,
    }),
  },
  'AccountStatement',
)
