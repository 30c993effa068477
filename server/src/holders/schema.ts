// Cardholders as the API shows and takes them.
import { type Static, Type } from 'typebox'
import {
  field,
  nameSortQuery,
  object,
  PRINTABLE_PATTERN,
  searchQuery,
  visibleText,
  wholeListQuery,
} from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { HolderRow } from './queries.ts'

export const HOLDER_KINDS = ['individual', 'corporate'] as const
export const HOLDER_STATUSES = ['pending', 'active', 'blocked', 'inactive'] as const
export const HOLDER_ERASURES = ['running', 'completed'] as const

const name = field(visibleText(255, 'a name'), 'The name of the person or company.')
const email = Type.String({
  format: 'email',
  maxLength: 320,
  pattern: PRINTABLE_PATTERN,
  hint: 'an e-mail address such as ada@example.com',
  description: 'The e-mail address of the cardholder.',
})
const EXTERNAL_ID = 'Your own id for this cardholder.'
/** For filters, which must find every stored value, including those that are no longer accepted. */
const externalId = Type.String({
  minLength: 1,
  maxLength: 255,
  hint: 'your own id, 1 to 255 characters',
  description: EXTERNAL_ID,
})
const kind = field(Type.Enum([...HOLDER_KINDS]), 'A person or a company.')

export const Holder = object(
  {
    id: field(Type.String(), 'The id of the cardholder, `hld_…`.'),
    name: field(Type.String(), 'The name of the person or company.'),
    email: field(Type.String(), 'The e-mail address of the cardholder.'),
    kind,
    status: field(Type.Enum([...HOLDER_STATUSES]), 'Only an `active` cardholder can get a card.'),
    externalId: Type.Optional(field(Type.String(), 'Your own id for this cardholder, if you gave one.')),
    erasure: Type.Optional(
      field(
        Type.Enum([...HOLDER_ERASURES]),
        'Present if the personal data was erased: `running` until older records are cleared too, then `completed`.',
      ),
    ),
  },
  'Holder',
  'A cardholder: a person or company that cards are issued to.',
)

/** Says the same to companies and operators. */
export const ERASE_DESCRIPTION =
  'Erases the name, the e-mail address and `externalId` of a cardholder, and the same person’s data in cards, operations, events and logs. The ledger and the amounts stay. This cannot be undone. Close the cards of the cardholder first, and wait until its operations have ended. Older records are cleared in the background within minutes; `erasure` is `completed` when that is done. Calling it again changes nothing.'

export const NewHolder = object(
  { name, email, kind, externalId: Type.Optional(field(visibleText(255, 'your own id'), EXTERNAL_ID)) },
  'HolderCreate',
  'A cardholder to add.',
)
export type NewHolder = Static<typeof NewHolder>

export const HolderChange = object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    externalId: Type.Optional(
      Type.Union([visibleText(255, 'your own id'), Type.Null()], {
        hint: 'your own id, or null to remove it',
        description: `${EXTERNAL_ID} Null removes it.`,
      }),
    ),
  },
  'HolderUpdate',
  'What to change of a cardholder. What is left out stays as it is.',
)

export const HolderQuery = object({
  ...wholeListQuery,
  sort: nameSortQuery,
  status: Type.Optional(field(Type.Enum([...HOLDER_STATUSES]), 'Only cardholders with this status.')),
  kind: Type.Optional(field(Type.Enum([...HOLDER_KINDS]), 'Only persons or only companies.')),
  externalId: Type.Optional(field(externalId, 'Only the cardholder with this id of yours.')),
  email: Type.Optional(field(Type.String({ maxLength: 320 }), 'Only cardholders with exactly this address.')),
  q: Type.Optional(
    field(
      searchQuery,
      'Only cardholders whose name or e-mail address begins with this. At least two characters; upper and lower case are the same.',
    ),
  ),
})
export type HolderQuery = Static<typeof HolderQuery>

export function toHolder(row: HolderRow): Static<typeof Holder> {
  return {
    id: formatId('hld', row.id),
    name: row.name,
    email: row.email,
    kind: row.kind,
    status: row.status,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    ...(row.erasure === null ? {} : { erasure: row.erasure }),
  }
}
