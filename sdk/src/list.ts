// What the groups of calls are built on: the transport, which is left out of the published types, and a list that can be
// awaited (one page) or iterated (every item, page by page, in bounded memory).
import { type Call, createCall, type WithResponse } from './call.ts'
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
  /** The items of this page. */
  data: Item[]
  /** Where the next page begins; null at the end of the list. */
  nextCursor: string | null
}

/** `await` it for one page, iterate over it with `for await` for every item, or collect the first items in an array. */
export type List<Item> = Call<Page<Item>> &
  AsyncIterable<Item> & {
    /** Returns the first items of the whole list, at most `max`. It requests only the pages that it needs. */
    toArray(options: {
      /** No more items than this. */
      readonly max: number
    }): Promise<Item[]>
  }

/**
 * The first page is requested at once; iterating begins with that same page.
 * @internal
 */
export function createList<Item>(
  fetchPage: (query: object) => Call<unknown>,
  query: { cursor?: string | undefined },
): List<Item> {
  const getPage = async (cursor: string | undefined): Promise<WithResponse<Page<Item>>> => {
    const { data, ...info } = await fetchPage({ ...query, cursor }).withResponse()
    const page = data as { data: Item[]; nextCursor?: string | null }
    return { data: { data: page.data, nextCursor: page.nextCursor ?? null }, ...info }
  }
  const first = createCall(getPage(query.cursor))
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
        page = (await getPage(cursor)).data
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
