// Reads Stripe's lists page by page. A list is read to its end or not at all: a part of it would look like the whole.
import { type Page, pageOf, type Parse } from '../../provider-kit/parse.ts'
import type { Read } from '../../provider-kit/judge.ts'
import type { Api, Form } from './api.ts'

/** A page of long objects can exceed what is read of an answer. Smaller pages are asked for then. */
const PAGE_SIZES = [100, 10, 1]
const TOO_LONG = 'UND_ERR_RES_EXCEEDED_MAX_SIZE'

export interface List<Item> {
  readonly path: string
  readonly parse: Parse<Item>
  readonly query: Form
  readonly pagesMax: number
}

/** Returns the newest first, as Stripe does, or `too_many` if there are more pages than are allowed. */
export async function readList<Item extends { readonly id: string }>(
  api: Api,
  { path, parse, query, pagesMax }: List<Item>,
): Promise<Read<Item[]> | { readonly kind: 'too_many'; readonly reason: string }> {
  const all = new Map<string, Item>()
  let after: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const read = await readPage(api, path, parse, { ...query, starting_after: after })
    if (read.kind !== 'read') return read
    const { items, hasMore } = read.value
    for (const item of items) all.set(item.id, item)
    after = items.at(-1)?.id
    if (!hasMore) return { kind: 'read', value: [...all.values()] }
    if (after === undefined) break
  }
  return { kind: 'too_many', reason: `Stripe has more than ${pagesMax} pages of ${path}` }
}

export async function readPage<Item>(
  api: Api,
  path: string,
  parse: Parse<Item>,
  query: Form,
): Promise<Read<Page<Item>>> {
  let last: Read<Page<Item>> = { kind: 'unknown', reason: '' }
  for (const limit of PAGE_SIZES) {
    last = await api.read(path, pageOf(parse), { ...query, limit })
    if (last.kind === 'read' || !last.reason.startsWith(TOO_LONG)) return last
  }
  return last
}
