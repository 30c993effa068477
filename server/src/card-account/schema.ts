// Statements on the wire.
import { Type } from 'typebox'
import { cardNameFields } from '../cards/schema.ts'
import {
  Amount,
  EnvironmentSchema,
  field,
  INSTANT_NOTE,
  instantQuery,
  object,
  pageQuery,
  SignedAmount,
  Timestamp,
} from '../lib/wire.ts'
import { ENTRY_KINDS, FORMATS } from './rules.ts'

const Day = Type.String({ maxLength: 10, format: 'date', hint: 'a date such as 2026-01-31' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

export const StatementQuery = object({
  from: field(Day, 'The first UTC day, inclusive.'),
  to: field(Day, 'The last UTC day, inclusive. At most 366 days in all.'),
  format: Type.Optional(
    field(Type.Enum([...FORMATS]), 'The format of the answer. It takes precedence over the `Accept` header.'),
  ),
})

export const Entry = object(
  {
    id: field(Type.String(), 'The id of the entry.'),
    reference: field(
      Type.String(),
      'The id of the object that the entry belongs to: an operation, an invoice, a payment in review, a sandbox deposit or a card.',
    ),
    kind: field(Type.Enum([...ENTRY_KINDS]), 'What kind of movement it is.'),
    description: field(Type.String(), 'The movement in words.'),
    amount: field(SignedAmount, 'By how much the balance changed. 0.00 for a reservation and a release.'),
    balance: field(SignedAmount, 'The balance after the entry: available and held together.'),
    availableDelta: field(SignedAmount, 'By how much the available funds changed.'),
    heldDelta: field(SignedAmount, 'By how much the held funds changed.'),
    createdAt: field(Timestamp, 'When the entry was booked.'),
  },
  'StatementEntry',
  'One movement on the card account.',
)

export const AccountEntry = object(
  {
    ...Entry.properties,
    title: field(
      Type.String(),
      'The movement in words that name what it concerns, such as “Virtual card for Ada Lovelace ·· 5112”. Names are those of now.',
    ),
    ...cardNameFields,
  },
  'AccountEntry',
  'One movement on the card account, and the card that it concerns.',
)

const StatementCompany = object(
  { id: field(Type.String(), 'The id of the company.'), name: field(Type.String(), 'The name of the company.') },
  'StatementCompany',
  'The company that the account belongs to.',
)

const StatementProof = object(
  {
    firstNumber: field(
      Type.Integer(),
      'The number of the first entry. Entries of an account are numbered without gaps.',
    ),
    lastNumber: field(Type.Integer(), 'The number of the last entry.'),
    openingHeld: field(Amount, 'What was held before the first entry.'),
    hashBefore: field(Hash, 'The hash chain before the first entry.'),
    hashAfter: field(Hash, 'The hash chain after the last entry.'),
    digest: field(Hash, 'A digest of the whole statement, without a key.'),
  },
  'StatementProof',
  'Where the entries are in the hash chain of the account. `cardstock verify` checks offline that the statement is consistent in itself. The hashes have no key: whether the statement is the one that the server wrote is known only by comparing it with the server, which `cardstock verify --server` does.',
)

export const StatementSchema = object(
  {
    company: StatementCompany,
    environment: EnvironmentSchema,
    currency: field(Type.String(), 'Always `USD`.'),
    account: field(Type.Literal('card_account'), 'Always `card_account`.'),
    from: field(Day, 'The first UTC day, inclusive.'),
    to: field(Day, 'The last UTC day, inclusive.'),
    openingBalance: field(SignedAmount, 'The balance before the first day.'),
    closingBalance: field(SignedAmount, 'The opening balance, plus incoming, minus outgoing.'),
    incoming: field(Amount, 'The sum of the positive amounts.'),
    outgoing: field(Amount, 'The sum of the negative amounts, without the sign.'),
    generatedAt: field(Timestamp, 'When the statement was generated.'),
    data: field(Type.Array(Entry), 'The entries, oldest first.'),
    proof: StatementProof,
  },
  'AccountStatement',
  'The movements on the card account over whole UTC days.',
)

export const EntryQuery = object({
  ...pageQuery,
  from: Type.Optional(field(instantQuery, `Only entries from this time on. ${INSTANT_NOTE}`)),
  to: Type.Optional(field(instantQuery, `Only entries until this time. ${INSTANT_NOTE}`)),
  kind: Type.Optional(field(Type.Enum([...ENTRY_KINDS]), 'Only entries of this kind.')),
  moves: Type.Optional(
    field(
      Type.Enum(['balance']),
      '`balance`: only entries that change the balance, without reservations and releases, which only move money between available and held.',
    ),
  ),
  reference: Type.Optional(
    field(Type.String({ maxLength: 100 }), 'Only entries of this object, such as an operation or an invoice.'),
  ),
})

export const HistoryQuery = object({
  from: field(Day, 'The first UTC day, inclusive.'),
  to: field(Day, 'The last UTC day, inclusive. At most 366 days in all.'),
})

const BalanceDay = object(
  {
    day: field(Day, 'The UTC day.'),
    balance: field(SignedAmount, 'The balance at the end of the day: available and held together.'),
    held: field(Amount, 'What was reserved at the end of the day by operations that were not finished.'),
  },
  'BalanceDay',
  'What the card account had at the end of a day.',
)

export const BalanceHistory = object(
  {
    environment: EnvironmentSchema,
    currency: field(Type.String(), 'Always `USD`.'),
    data: field(
      Type.Array(BalanceDay),
      'One object for each day, oldest first. Today is included with its balance so far; later days are left out.',
    ),
  },
  'BalanceHistory',
  'What the card account had at the end of each day.',
)
