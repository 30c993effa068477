// Reads lists page by page up to a limit, prints them, and says when there are more rows.
import { type List, type Page, type PageQuery, SORTS } from '@cardstock/sdk'
import { InvalidArgumentError, Option } from 'commander'
import { type Column, formatTable, type Output } from './output.ts'

const ROWS_DEFAULT = 50
/** All rows are held in memory before they are aligned. */
const ROWS_MAX = 100_000
/** The server's page limit. */
const PAGE_MAX = 100

export function limitOption(): Option {
  return new Option('--limit <n>', 'rows to show').default(ROWS_DEFAULT).argParser(parseLimit)
}

/** The first order is the default. */
export function sortOption(orders: readonly string[] = SORTS): Option {
  return new Option('--sort <order>', 'order of the rows').choices(orders).default(orders[0])
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > ROWS_MAX) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${ROWS_MAX}.`)
  }
  return limit
}

export async function take<Item>(fetch: (query: PageQuery) => List<Item>, limit: number): Promise<Page<Item>> {
  const data: Item[] = []
  let nextCursor: string | null = null
  do {
    const query: PageQuery = { limit: Math.min(limit - data.length, PAGE_MAX) }
    if (nextCursor !== null) query.cursor = nextCursor
    const page: Page<Item> = await fetch(query)
    data.push(...page.data)
    nextCursor = page.nextCursor
  } while (nextCursor !== null && data.length < limit)
  return { data, nextCursor }
}

export function printList<Item>(output: Output, page: Page<Item>, columns: readonly Column<Item>[]): void {
  output.result(page, () => formatTable(columns, page.data, output))
  if (page.data.length === 0) output.note('Nothing to show.')
  if (page.nextCursor !== null) {
    output.note(`There are more than ${page.data.length} rows; use --limit ${page.data.length * 2} to see more.`)
  }
}
