// Parses the answers of a provider's API. A parser picks the fields that are needed and drops the rest.
import { type Static, type TSchema, Type } from 'typebox'
import { createCheck } from '../../http/validate.ts'
import { MerchantCategory } from '../../lib/wire.ts'

/** Returns undefined if the answer does not have the expected shape, or is not the one to the request. */
export type Parse<Value> = (answer: unknown) => Value | undefined

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasMore: boolean
}

/** Returns a parser that checks an answer and picks from it. */
export function parser<Schema extends TSchema, Value>(
  schema: Schema,
  pick: (answer: Static<Schema>) => Value | undefined,
): Parse<Value> {
  const check = createCheck(schema)
  return (answer) => (check(answer) ? pick(answer) : undefined)
}

/** Returns a parser of a page, which fails if one of its items does. */
export function pageOf<Item>(parseItem: Parse<Item>): Parse<Page<Item>> {
  return parser(Type.Object({ data: Type.Array(Type.Unknown()), has_more: Type.Boolean() }), ({ data, has_more }) => {
    const items = data.flatMap((answer) => {
      const item = parseItem(answer)
      return item === undefined ? [] : [item]
    })
    return items.length === data.length ? { items, hasMore: has_more } : undefined
  })
}

/** Providers send other texts, such as an empty one, when they do not know it. */
export const isMerchantCategory = createCheck(MerchantCategory)

/** The reasons that our protocol takes. */
const WORDS_LENGTH_MAX = 255

/** Returns a provider's code for people: `CARD_PAUSED` becomes `Card paused`. */
export function wordsOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ').trim().slice(0, WORDS_LENGTH_MAX)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Returns undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
