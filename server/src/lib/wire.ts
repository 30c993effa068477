// Pieces of schema that several resources share. `hint` completes the sentence of a refusal ("body.amount must be …"), and
// `signHint` that of a negative amount; `description` is what the documents say.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN } from './money.ts'
import { ENVIRONMENTS } from './scope.ts'
import { NAME_SORTS, SORTS, type Sort } from './slice.ts'

export const Amount = Type.String({
  pattern: AMOUNT_PATTERN,
  maxLength: AMOUNT_LENGTH_MAX,
  hint: 'a decimal string with up to two decimals, such as "25.00"',
  signHint: 'an amount without a sign: it cannot be negative',
  description: 'An amount in US dollars, as a decimal string with up to two decimals.',
})

/** An amount, with what a caller who sends a negative one should do instead. */
export function positiveAmount(instead: string) {
  return { ...Amount, signHint: `positive, without a sign: ${instead}` }
}

/** Characters that hide, break or reorder what a person reads: controls, line separators, bidirectional overrides. */
const UNPRINTABLE = '\\u0000-\\u001F\\u007F-\\u009F\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069'
const BLANKS = ' \\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000\\uFEFF'
/** Any text that can be shown to a person, the empty one included. */
export const PRINTABLE_PATTERN = `^[^${UNPRINTABLE}]*$`
/** Without a lookahead, which the regular expressions of many languages lack; each character is looked at once. */
export const VISIBLE_PATTERN = `^[${BLANKS}]*[^${UNPRINTABLE}${BLANKS}][^${UNPRINTABLE}]*$`
const WITHOUT = 'without control characters, line breaks or text-direction marks'

/** Text that a client or an operator writes and people read. Every such field of a body is made here or below. */
export function visibleText(lengthMax: number, about: string) {
  const hint = `${about} of 1 to ${lengthMax} characters, ${WITHOUT}`
  return Type.String({ minLength: 1, maxLength: lengthMax, pattern: VISIBLE_PATTERN, hint })
}

/** The same, but it may be empty. */
export function printableText(lengthMax: number, about: string) {
  const hint = `${about} of at most ${lengthMax} characters, ${WITHOUT}`
  return Type.String({ maxLength: lengthMax, pattern: PRINTABLE_PATTERN, hint })
}

/** What the server sends: always two decimals, negative with a minus sign. */
export const SignedAmount = Type.String({
  pattern: '^-?\\d+\\.\\d{2}$',
  description: 'An amount with two decimals, negative with a minus sign, such as "-25.00".',
})

/** The category of a merchant as card networks send it, ISO 18245. */
export const MerchantCategory = Type.String({ pattern: '^[0-9]{4}$', hint: 'four digits such as "5812"' })

export const Timestamp = Type.Unsafe<Date | string>({
  type: 'string',
  format: 'date-time',
  description: 'A time in UTC, ISO 8601.',
})

export const EnvironmentSchema = Type.Enum([...ENVIRONMENTS], {
  description: 'The environment that the object belongs to. Sandbox objects never touch live money.',
})

export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  const { type = 'string', enum: values } = schema as { type?: string; enum?: readonly unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  })
}

/** The schema, with what the documents say about it here. A shared schema keeps its own description besides. */
export function field<Schema extends TSchema>(schema: Schema, text: string): Schema {
  return { ...schema, ...('title' in schema ? { usage: text } : { description: text }) }
}

/** `name` makes it a shared schema of the documents, which then needs a description. */
export function object<Properties extends Record<string, TSchema>>(
  properties: Properties,
  name?: string,
  description?: string,
) {
  return Type.Object(properties, {
    additionalProperties: false,
    ...(name === undefined ? {} : { title: name }),
    ...(description === undefined ? {} : { description }),
  })
}

export const IdParams = object({ id: field(Type.String(), 'The id of the object.') })

/** A value out of range is refused, never clamped. */
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 50
/** A cursor of ours has 43 characters, or 54 in a list ordered by a time. By name it has that name, of up to 255 characters of four bytes. */
const CURSOR_LENGTH_MAX = 1_500

const Cursor = Type.Optional(
  Type.String({
    maxLength: CURSOR_LENGTH_MAX,
    hint: 'nextCursor of the previous page, with the same filters and order',
    description: '`nextCursor` of the previous page. The filters and the order must be the same as those of that page.',
  }),
)

const PAGE_SIZE = `How many objects a page has: 1 to ${PAGE_LIMIT_MAX}.`
const Limit = Type.Integer({
  minimum: 1,
  maximum: PAGE_LIMIT_MAX,
  hint: `a whole number from 1 to ${PAGE_LIMIT_MAX}`,
  description: PAGE_SIZE,
})

/** The default is for the documents: http/page.ts fills it in. */
export const pageQuery = { cursor: Cursor, limit: Type.Optional({ ...Limit, default: PAGE_LIMIT_DEFAULT }) }

const sortOf = <Value extends Sort>(values: readonly Value[], description: string) =>
  Type.Optional(Type.Enum([...values], { default: 'newest', description }))

/** The order of a list. */
export const sortQuery = sortOf(SORTS, 'The order: the newest first, or the oldest first.')
export const nameSortQuery = sortOf(
  NAME_SORTS,
  'The order: the newest first, the oldest first, or by name without regard to upper and lower case.',
)

/** For lists that are whole unless a page of them is asked for, so that there is no default. */
export const wholeListQuery = {
  cursor: Cursor,
  limit: Type.Optional(field(Limit, `${PAGE_SIZE} Without \`limit\` and \`cursor\` the whole list is answered.`)),
}

const NextCursor = nullable(
  Type.String({ description: 'Send it as `cursor` to get the next page. Null on the last page.' }),
)

export function pageOf<Item extends TSchema>(item: Item) {
  const name = titleOf(item)
  const properties = { data: field(Type.Array(item), 'The objects of this page.'), nextCursor: NextCursor }
  return object(properties, `${name}Page`, `One page of a list of \`${name}\`.`)
}

function titleOf(schema: TSchema): string {
  const { title } = schema as { title?: string }
  if (title === undefined) throw new Error('The items of a list need a name.')
  return title
}

/** SPEC: `{ data: [...] }`; `nextCursor` is there only when the list was asked for in pages. */
export function wholeListOf<Item extends TSchema>(item: Item) {
  const name = titleOf(item)
  const data = field(Type.Array(item), 'The objects of the list, or of this page.')
  const properties = { data, nextCursor: Type.Optional(NextCursor) }
  return object(properties, `${name}List`, `A list of \`${name}\`, whole or one page of it.`)
}

/** Shorter ones would find nearly everything. */
const SEARCH_LENGTH_MIN = 2
/** Longer than the name of anything that people look for. */
const SEARCH_LENGTH_MAX = 100

/** The beginning of a text that a list is searched for. */
export const searchQuery = Type.String({
  minLength: SEARCH_LENGTH_MIN,
  maxLength: SEARCH_LENGTH_MAX,
  pattern: VISIBLE_PATTERN,
  hint: `the beginning of what you look for, ${SEARCH_LENGTH_MIN} to ${SEARCH_LENGTH_MAX} characters`,
})

/** `from` and `to` of lists: a date (whole UTC day) or a date-time, both inclusive. */
export const instantQuery = Type.String({
  maxLength: 40,
  hint: 'a date such as 2026-01-31 or a date-time such as 2026-01-31T12:00:00Z',
  description: 'A date (the whole UTC day) or a date-time, inclusive.',
})

/** For the description of a `from` or `to`. */
export const INSTANT_NOTE = 'A date (the whole UTC day) or a date-time, inclusive.'

export const Failure = object(
  {
    code: field(Type.String(), 'What happened, for programs, such as `declined` or `not_carried_out`.'),
    message: field(Type.String(), 'What happened, for people.'),
  },
  'Failure',
  'Why something was not carried out.',
)
