// What an issuer needs to know of a cardholder beyond name and e-mail address, as the protocol carries it. It is personal data: the server
// passes it on and keeps it nowhere.
import { type Static, Type } from 'typebox'
import { field, object, visibleText } from '../../lib/wire.ts'
import { CompanyId, Instant } from './protocol.ts'

/** Longer than any line of an address. */
export const VALUE_LENGTH_MAX = 200
/** More than any provider asks for. */
export const HOLDER_FIELDS_MAX = 30
/** What the protocol allows for a text to people. */
export const TEXT_LENGTH_MAX = 255
const FIELD_NAME = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  hint: 'small letters, digits and underscores, at most 50',
})

export const HolderParams = object({
  holderId: field(Type.String({ pattern: '^hld_[0-9a-f]{32}$', hint: 'the id of a holder' }), 'The id of the holder.'),
})
export const HolderQuery = object({ companyId: CompanyId })

const HolderField = Type.Object(
  {
    name: field(FIELD_NAME, 'The name of the field in `values`.'),
    label: field(Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX }), 'What it is, for people.'),
    isRequired: field(Type.Boolean(), 'Whether no card is issued without it.'),
  },
  { title: 'IssuerHolderField', description: 'Something that the issuer needs to know of a cardholder.' },
)

export const IssuerHolderDetails = Type.Object(
  {
    fields: Type.Array(HolderField, {
      maxItems: HOLDER_FIELDS_MAX,
      description: 'What the issuer needs to know beyond name and e-mail address. Empty if that is enough.',
    }),
    enteredAt: Type.Union([Instant, Type.Null()], {
      description: 'When the details were last entered. Null if nobody has. What was entered is never answered.',
    }),
    isEnrolled: field(
      Type.Boolean(),
      'Whether the provider already has the cardholder. Details that are entered then do not change what the provider has.',
    ),
  },
  { title: 'IssuerHolderDetails', description: 'What the issuer needs to know of a cardholder. Since protocol 1.1.' },
)
export type IssuerHolderDetails = Static<typeof IssuerHolderDetails>

/** A list, and not an object whose names are the provider's: every schema and every generator knows lists. */
export const HolderValues = Type.Array(
  object(
    {
      field: field(FIELD_NAME, 'The name of the field.'),
      value: field(visibleText(VALUE_LENGTH_MAX, 'a text'), 'What was entered.'),
    },
    'HolderValue',
    'One detail of a cardholder.',
  ),
  {
    maxItems: HOLDER_FIELDS_MAX,
    description: 'All details. They replace those that were entered before. An empty list removes them.',
  },
)
export type HolderValues = Static<typeof HolderValues>

export const HolderDetailsBody = object(
  {
    companyId: CompanyId,
    by: field(visibleText(TEXT_LENGTH_MAX, 'who entered them'), 'Who entered them.'),
    values: HolderValues,
  },
  'HolderDetailsBody',
  'All details of a holder.',
)
export type HolderDetailsBody = Static<typeof HolderDetailsBody>

const Stored = Type.Object(
  { outcome: field(Type.Literal('stored'), 'The details are stored, or removed.'), ...IssuerHolderDetails.properties },
  { title: 'HolderDetailsStored', description: 'The issuer has stored the details.' },
)
const Refusal = Type.Object(
  {
    field: field(FIELD_NAME, 'The field.'),
    message: field(Type.String({ minLength: 1, maxLength: TEXT_LENGTH_MAX }), 'What is wrong with it, for people.'),
  },
  { title: 'HolderDetailRefusal', description: 'What is wrong with one detail of a cardholder.' },
)
const Refused = Type.Object(
  {
    outcome: field(Type.Literal('refused'), 'Nothing was stored.'),
    refusals: Type.Array(Refusal, {
      minItems: 1,
      maxItems: 2 * HOLDER_FIELDS_MAX,
      description: 'What is wrong, field by field. A message does not repeat what was entered.',
    }),
  },
  { title: 'HolderDetailsRefused', description: 'The issuer does not accept the details.' },
)
export const HolderDetailsAnswer = Type.Union([Stored, Refused], {
  title: 'HolderDetailsAnswer',
  description: 'What became of the details.',
})
export type HolderDetailsAnswer = Static<typeof HolderDetailsAnswer>
