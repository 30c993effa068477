// Pieces of schema that several resources share. A description doubles as the hint in a refusal.
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN } from './money.ts'
import { ENVIRONMENTS } from './scope.ts'

export const Amount = Type.String({
  pattern: AMOUNT_PATTERN,
  maxLength: AMOUNT_LENGTH_MAX,
  description: 'a decimal string with up to two decimals, such as "25.00"',
})

/** What the server sends: always two decimals, negative with a minus sign. */
export const SignedAmount = Type.String({ description: 'a decimal string with two decimals, such as "-25.00"' })

export const Timestamp = Type.Unsafe<Date | string>({ type: 'string', format: 'date-time' })

export const EnvironmentSchema = Type.Enum([...ENVIRONMENTS], { description: 'sandbox or live' })

export function nullable<Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> {
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [(schema as { type?: string }).type ?? 'string', 'null'],
  })
}

export function object<Properties extends Record<string, TSchema>>(properties: Properties, name?: string) {
  return Type.Object(properties, { additionalProperties: false, ...(name === undefined ? {} : { title: name }) })
}

export const IdParams = object({ id: Type.String() })

/** CONTRACT 1: out of range is refused, never clamped. */
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 50
/** A cursor of ours has 43 characters, or 54 in a list ordered by a time. */
const CURSOR_LENGTH_MAX = 200

export const pageQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: CURSOR_LENGTH_MAX,
      description: 'nextCursor of the previous page, with the same filters',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, description: `a whole number from 1 to ${PAGE_LIMIT_MAX}` }),
  ),
}

export function pageOf<Item extends TSchema>(item: Item) {
  return object({ data: Type.Array(item), nextCursor: nullable(Type.String()) })
}

/** SPEC: `{ data: [...] }`; `nextCursor` is there only when the list was asked for in pages. */
export function wholeListOf<Item extends TSchema>(item: Item) {
  return object({ data: Type.Array(item), nextCursor: Type.Optional(nullable(Type.String())) })
}

/** `from` and `to` of lists: a date (whole UTC day) or a date-time, both inclusive. */
export const instantQuery = Type.String({
  maxLength: 40,
  description: 'a date such as 2026-01-31 or a date-time such as 2026-01-31T12:00:00Z',
})
