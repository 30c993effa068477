// What the issuer needs to know of a cardholder, as the API shows and takes it.
import { type Static, Type } from 'typebox'
import { HolderValues } from '../issuer/http/holder-details-schema.ts'
import { field, object, Timestamp } from '../lib/wire.ts'

const HolderField = object(
  {
    name: field(Type.String(), 'The name of the field.'),
    label: field(Type.String(), 'What it is, for people.'),
    isRequired: field(Type.Boolean(), 'Whether the issuer issues no card without it.'),
  },
  'HolderField',
  'Something that the issuer needs to know of a cardholder.',
)

export const HolderDetails = object(
  {
    isOffered: field(Type.Boolean(), 'Whether details can be entered here.'),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why they cannot be entered here. Null if they can.',
    }),
    fields: field(
      Type.Array(HolderField),
      'What the issuer needs to know beyond name and e-mail address. Empty if that is enough.',
    ),
    enteredAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When details were last entered. Null if nobody has. What was entered is never shown.',
    }),
    isEnrolled: field(
      Type.Boolean(),
      'Whether the card provider already has the cardholder. Details that are entered then do not change what it has.',
    ),
  },
  'HolderDetails',
  'What the issuer of live cards needs to know of a cardholder.',
)
export type HolderDetails = Static<typeof HolderDetails>

export const HolderDetailsEntry = object(
  { values: HolderValues },
  'HolderDetailsEntry',
  'The details of a cardholder, for the issuer. This server keeps them nowhere.',
)

/** Says the same to companies and operators. */
export const READ_DESCRIPTION =
  'Returns what the issuer of live cards needs to know of a cardholder beyond name and e-mail address, such as a postal address, and when it was last entered. What was entered is never returned.'
export const ENTER_DESCRIPTION =
  'Hands the details of a cardholder to the issuer, all at once. They replace those that were entered before, and are used when the next card is issued. An empty list removes them from the issuer; what the card provider has stays there. This server keeps them nowhere; the audit log says who entered them. Sending the same again changes nothing.'
