// What lists cost with each of their filters: no statement reads a table from its beginning, and none looks at more rows than
// a window has, however long the list is and however little the filter finds. Plans are compared, not times.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listCards } from '../../src/cards/lists/queries.ts'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { listEvents } from '../../src/events/queries.ts'
import { readEventsBetween } from '../../src/events/stream/queries.ts'
import { listInvoices } from '../../src/funding/lists/queries.ts'
import { listHolders } from '../../src/holders/lists/queries.ts'
import { ZERO_ID } from '../../src/lib/ids.ts'
import {
  EARLIEST_TIME,
  isAscending,
  LATEST_TIME,
  NAME_SORTS,
  NEWEST_ID,
  type Slice,
  type Sort,
} from '../../src/lib/slice.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { WINDOW_ROWS } from '../../src/lib/windows.ts'
import { listOperations } from '../../src/operations/lists/queries.ts'
import { listRequestLogs } from '../../src/request-log/queries.ts'
import { listEntries } from '../../src/card-account/queries.ts'
import { addTransactions, listTransactions } from '../../src/transactions/queries.ts'
import { Book } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'
import { addLongLists, FIRST, OLDEST, ROWS, USUAL } from './list-rows.ts'

/** A window, the row that ends it, and a page. */
const LOOKED_AT_MAX = WINDOW_ROWS + 100
const PAGE = { after: NEWEST_ID, afterTime: LATEST_TIME, limit: 51 }

const SORTED = new Set(['holders', 'cards', 'transactions', 'operations', 'invoices'])
const sortsOf = (name: string): readonly Sort[] =>
  name === 'holders' || name === 'cards' ? ['oldest', 'name_asc', 'name_desc'] : ['oldest']
const firstPage = (sort: Sort): Slice =>
  isAscending(sort) ? { after: ZERO_ID, afterTime: EARLIEST_TIME, limit: 51, sort } : { ...PAGE, sort }

const book = await Book.open()
let scope: Scope
beforeAll(async () => {
  for (const company of [await book.addCompany(), await book.addCompany()]) {
    scope = company.scope
    await addLongLists(book, scope)
  }
  await book.run('analyze')
})
afterAll(() => book.close())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Carries statements out, and keeps what is wrong with their plans. */
function createWatch({ limit = LOOKED_AT_MAX, mayReadAll = false } = {}): { db: Db; problems: string[] } {
  const problems: string[] = []
  const visit = (plan: Plan): void => {
    const table = plan['Relation Name']
    const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    const rows = (plan['Actual Rows'] + removed) * plan['Actual Loops']
    if (table !== undefined && plan['Node Type'] === 'Seq Scan' && table !== 'account' && !mayReadAll)
      problems.push(`reads all of ${table}`)
    if (table !== undefined && rows > limit) problems.push(`looks at ${rows} rows of ${table}`)
    for (const part of plan.Plans ?? []) visit(part)
  }
  const explain = async ({ text, values }: Statement) => {
    const explained = { name: undefined, text: `explain (analyze, timing off, format json) ${text}`, values }
    const row = await book.db.find<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained)
    if (row !== undefined) visit(row['QUERY PLAN'][0].Plan)
  }
  const db: Db = {
    many: async (statement) => explain(statement).then(() => book.db.many(statement)),
    find: async (statement) => explain(statement).then(() => book.db.find(statement)),
    run: async (statement) => explain(statement).then(() => book.db.run(statement)),
  }
  return { db, problems }
}

/** Returns each of the filters alone, each pair of them, and all together. */
function combine<Filter extends object>(filter: Filter): Partial<Filter>[] {
  const entries = Object.entries(filter)
  const pairs = entries.flatMap((one, index) => entries.slice(index + 1).map((other) => [one, other]))
  return [...entries.map((one) => [one]), ...pairs, entries].map(
    (chosen) => Object.fromEntries(chosen) as Partial<Filter>,
  )
}

const range = { from: null, until: null }
const CARD = { status: undefined, holderId: undefined, productId: undefined }
const TRANSACTION = { ...range, cardId: undefined, type: undefined, status: undefined }
const OPERATION = { ...range, type: undefined, status: undefined, cardId: undefined, idempotencyKey: undefined }
const LOG = { from: FIRST, until: null, status: undefined, path: undefined, keyId: undefined }

type Ids = Promise<{ id: string }[]>
const lists: [name: string, filter: object, expected: string[], list: (db: Db, page?: Slice) => Ids][] = [
  ...combine({ status: 'blocked', kind: 'corporate', externalId: 'rare', email: 'rare@example.com' }).map(
    (filter) => ['holders', filter, [OLDEST], (db: Db, page = PAGE) => listHolders(db, scope, filter, page)] as never,
  ),
  ...combine({ status: 'blocked', holderId: OLDEST, productId: 'rare' }).map(
    (filter) =>
      ['cards', filter, [OLDEST], (db: Db, page = PAGE) => listCards(db, scope, { ...CARD, ...filter }, page)] as never,
  ),
  ...[
    { status: 'active', productId: 'rare' },
    { status: 'active', holderId: OLDEST },
    { status: 'blocked', holderId: USUAL },
  ].map(
    (filter) =>
      ['cards', filter, [], (db: Db, page = PAGE) => listCards(db, scope, { ...CARD, ...filter }, page)] as never,
  ),
  ...[
    [{ q: 'RARE@' }, [OLDEST]],
    [{ q: 'nobody' }, []],
    [{ q: 'hold', status: 'blocked' }, [OLDEST]],
    [{ q: 'rare', status: 'active' }, []],
  ].map(
    ([filter, expected]) =>
      ['holders', filter, expected, (db: Db, page = PAGE) => listHolders(db, scope, filter as object, page)] as never,
  ),
  ...[
    [{ q: 'rare@' }, [OLDEST]],
    [{ q: '99' }, []],
    [{ q: '00', productId: 'rare' }, [OLDEST]],
    [{ q: 'card', status: 'blocked' }, [OLDEST]],
    [{ q: 'hold', status: 'blocked' }, [OLDEST]],
  ].map(
    ([filter, expected]) =>
      [
        'cards',
        filter,
        expected,
        (db: Db, page = PAGE) => listCards(db, scope, { ...CARD, ...(filter as object) }, page),
      ] as never,
  ),
  ...[
    [{ q: 'rare m' }, [OLDEST]],
    [{ q: '99' }, []],
    [{ q: '00', type: 'fee' }, [OLDEST]],
    [{ q: 'usual', type: 'fee' }, []],
    // The oldest payment has no category, as all have.
    [{ codes: '{[0,10000)}' }, []],
    [{ codes: '{[-1,0)}', type: 'fee' }, [OLDEST]],
  ].map(
    ([filter, expected]) =>
      [
        'transactions',
        filter,
        expected,
        (db: Db, page = PAGE) => listTransactions(db, scope, { ...TRANSACTION, ...(filter as object) }, page),
      ] as never,
  ),
  ...combine({ cardId: OLDEST, type: 'fee', status: 'expired' }).map(
    (filter) =>
      [
        'transactions',
        filter,
        [OLDEST],
        (db: Db, page = PAGE) => listTransactions(db, scope, { ...TRANSACTION, ...filter }, page),
      ] as never,
  ),
  ...combine({ cardId: USUAL, type: 'fee', status: 'expired' })
    .slice(3)
    .filter((filter) => filter.cardId !== undefined)
    .map(
      (filter) =>
        [
          'transactions',
          filter,
          [],
          (db: Db, page = PAGE) => listTransactions(db, scope, { ...TRANSACTION, ...filter }, page),
        ] as never,
    ),
  ...[
    [{ type: 'service' }, [OLDEST]],
    [{ status: 'completed' }, [OLDEST]],
    [{ type: 'service', status: 'completed' }, [OLDEST]],
    [{ type: 'issue' }, []],
    [{ status: 'failed', type: 'issue' }, []],
    [{ status: 'processing' }, []],
    [{ status: 'queued', type: 'service' }, []],
    [{ cardId: USUAL, type: 'issue' }, []],
    [{ cardId: USUAL, status: 'failed' }, []],
    [{ idempotencyKey: '1' }, [OLDEST]],
    [{ idempotencyKey: '1', status: 'completed' }, [OLDEST]],
    [{ idempotencyKey: 'none', type: 'issue' }, []],
  ].map(
    ([filter, expected]) =>
      [
        'operations',
        filter,
        expected,
        (db: Db, page = PAGE) => listOperations(db, scope, { ...OPERATION, ...(filter as object) }, page),
      ] as never,
  ),
  ...combine({ status: 418, path: '/rare', keyId: OLDEST }).map(
    (filter) =>
      ['request logs', filter, [OLDEST], (db: Db) => listRequestLogs(db, scope, { ...LOG, ...filter }, PAGE)] as never,
  ),
  [
    'invoices',
    { status: 'failed' },
    [OLDEST],
    (db, page = PAGE) => listInvoices(db, scope, { status: 'failed' }, page),
  ],
  ...['operation.completed', 'operation.processing', 'webhook.disabled'].map(
    (type) =>
      [
        'events',
        { type },
        type === 'operation.completed' ? [OLDEST] : [],
        (db: Db) => listEvents(db, scope, { type, from: FIRST, until: null }, PAGE),
      ] as never,
  ),
]

describe.skipIf(onCitus('plans'))('a list with filters', () => {
  it.each(lists)('%s %j finds what there is, and looks at no more than a window', async (_name, _filter, ids, list) => {
    const { db, problems } = createWatch()
    expect((await list(db)).map(({ id }) => id)).toEqual(ids)
    expect([...new Set(problems)]).toEqual([])
  })

  it.each(
    lists
      .filter(([name]) => SORTED.has(name))
      .flatMap(([name, filter, ids, list]) => sortsOf(name).map((sort) => [name, filter, sort, ids, list] as const)),
  )('%s %j in the order %s looks at no more than a window', async (_name, _filter, sort, ids, list) => {
    const { db, problems } = createWatch()
    expect((await list(db, firstPage(sort))).map(({ id }) => id)).toEqual(ids)
    expect([...new Set(problems)]).toEqual([])
  })

  it.each([
    ...NAME_SORTS.map((sort) => ['holders', sort, (db: Db) => listHolders(db, scope, {}, firstPage(sort))] as const),
    ...NAME_SORTS.map((sort) => ['cards', sort, (db: Db) => listCards(db, scope, CARD, firstPage(sort))] as const),
    ['transactions', 'oldest', (db: Db) => listTransactions(db, scope, TRANSACTION, firstPage('oldest'))] as const,
    ['operations', 'oldest', (db: Db) => listOperations(db, scope, OPERATION, firstPage('oldest'))] as const,
    ['invoices', 'oldest', (db: Db) => listInvoices(db, scope, {}, firstPage('oldest'))] as const,
  ])('%s without a filter in the order %s looks at one page', async (_name, _sort, list) => {
    const { db, problems } = createWatch({ limit: PAGE.limit })
    expect(await list(db)).toHaveLength(PAGE.limit)
    expect(problems).toEqual([])
  })

  it('payments of some days, oldest first, are read from the first of these days', async () => {
    const { db, problems } = createWatch({ limit: PAGE.limit })
    const [newest] = await listTransactions(book.db, scope, TRANSACTION, { ...PAGE, limit: 1 })
    const filter = { ...TRANSACTION, from: newest?.occurred_at ?? null }
    expect(await listTransactions(db, scope, filter, firstPage('oldest'))).toHaveLength(1)
    expect(problems).toEqual([])
  })

  it('of entries looks at no more than a window', async () => {
    const { db, problems } = createWatch()
    const filter = { ...range, kind: 'reservation', reference: undefined }
    const rows = await listEntries(db, scope, filter, { below: 2n ** 62n, limit: 51 })
    expect(rows.map(({ number }) => number)).toEqual([1n])
    expect(problems).toEqual([])
  })

  it('of sums looks at a bounded number of payments at a time, and adds all of them', async () => {
    const { db, problems } = createWatch({ limit: 20_001, mayReadAll: true })
    const totals = await addTransactions(db, scope, TRANSACTION)
    expect(totals.map(({ type, count }) => [type, count])).toEqual([
      ['fee', 1],
      ['purchase', ROWS - 1],
    ])
    expect(problems).toEqual([])
  })
})

describe.skipIf(onCitus('plans'))('a stream that catches up', () => {
  it.each([
    [['operation.completed'], [OLDEST]],
    [['operation.completed', 'webhook.disabled'], [OLDEST]],
    [['webhook.disabled'], []],
    [['webhook.disabled', 'api_key.expiring'], []],
  ])('with the types %j looks at no more than a window per page', async (types, expected) => {
    const { db, problems } = createWatch()
    const found: string[] = []
    for (let after: string | undefined = ZERO_ID; after !== undefined;) {
      const { rows, next } = await readEventsBetween(
        db,
        scope,
        { after, until: NEWEST_ID },
        { types: new Set(types), limit: 200 },
      )
      found.push(...rows.map(({ id }) => id))
      after = next
    }
    expect(found).toEqual(expected)
    expect([...new Set(problems)]).toEqual([])
  })
})
