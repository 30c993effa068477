// What the groups of calls are built on: the transport, which is left out of the published types, and a list that can be
// awaited (one page) or iterated (every item, page by page, in bounded memory).
import { ServerError } from './errors.ts'
import type { Transport } from './transport.ts'

export class Resource {
  /** @internal */
  protected readonly transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport
  }
}

export interface Page<Item> {
  data: Item[]
  /** Null at the end of the list. */
  nextCursor: string | null
}

/** `await` it for one page, iterate over it with `for await` for every item, or collect the first items in an array. */
export type List<Item> = Promise<Page<Item>> &
  AsyncIterable<Item> & {
    /** Returns the first items of the whole list, at most `max`. It requests only the pages that it needs. */
    toArray(options: { readonly max: number }): Promise<Item[]>
  }

/**
 * The first page is requested at once; iterating begins with that same page.
 * @internal
 */
export function createList<Item>(
  fetchPage: (query: object) => Promise<unknown>,
  query: { cursor?: string | undefined },
): List<Item> {
  const getPage = async (cursor: string | undefined): Promise<Page<Item>> => {
    const page = (await fetchPage({ ...query, cursor })) as { data: Item[]; nextCursor?: string | null }
    return { data: page.data, nextCursor: page.nextCursor ?? null }
  }
  const first = getPage(query.cursor)
  return Object.assign(first, {
    async toArray(this: List<Item>, { max }: { readonly max: number }) {
      const items: Item[] = []
      // The first page is requested in any case, so its failure must be noticed.
      await first
      if (max > 0)
        for await (const item of this) {
          items.push(item)
          if (items.length >= max) break
        }
      return items
    },
    async *[Symbol.asyncIterator]() {
      let page = await first
      yield* page.data
      for (let cursor = page.nextCursor; cursor !== null; cursor = page.nextCursor) {
        page = await getPage(cursor)
        yield* page.data
        if (page.nextCursor === cursor) {
          throw new ServerError('The list does not advance: two pages have the same cursor.', {
            code: 'unexpected_answer',
          })
        }
      }
    },
  })
}
