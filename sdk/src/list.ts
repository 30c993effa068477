// A list that can be awaited (one page) or iterated (every item, page by page, in bounded memory).
import type { Client } from './client.ts'
import { ServerError } from './errors.ts'
import type { Page, PageQuery } from './types.ts'

export type List<Item> = Promise<Page<Item>> & AsyncIterable<Item>

/** The first page is asked for at once; iterating begins with that same page. */
export function createList<Item>(client: Client, path: string, query: PageQuery & object): List<Item> {
  const fetchPage = async (cursor: string | undefined): Promise<Page<Item>> => {
    const page = await client.request<{ data: Item[]; nextCursor?: string | null }>('GET', path, {
      query: { ...query, cursor },
    })
    return { data: page.data, nextCursor: page.nextCursor ?? null }
  }
  const first = fetchPage(query.cursor)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = await first
      yield* page.data
      for (let cursor = page.nextCursor; cursor !== null; cursor = page.nextCursor) {
        page = await fetchPage(cursor)
        yield* page.data
        if (page.nextCursor === cursor) {
          throw new ServerError('The list does not advance.', { code: 'unexpected_answer' })
        }
      }
    },
  })
}
