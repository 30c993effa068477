// GET /balance/history and GET /account-entries: the card account over time, for any number of entries. Statements, whose
// length is limited, are in routes.ts.
import { DAY_MS } from '@cardstock/sdk/statements'
import type { Db } from '../db/pool.ts'
import { parseInstantRange } from '../http/instant.ts'
import { answerPage } from '../http/page.ts'
import { companyRoute, ok, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { findId, type Prefix, timeInId, ZERO_ID } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import { pageOf } from '../lib/wire.ts'
import { requireUnarchived } from './archived.ts'
import { idOfNumber, numberOfId, toNamedEntry } from './entry-rows.ts'
import { withSubjects } from './names.ts'
import { listDays, listEntries } from './queries.ts'
import { type DayRange, requireRange } from '../http/day-range.ts'
import { AccountEntry, BalanceHistory, EntryQuery, HistoryQuery } from './schema.ts'

interface HistoryDeps {
  db: Db
  clock: Clock
  cursors: CursorCodec
}

export function historyRoutes({ db, clock, cursors }: HistoryDeps): Route[] {
  const tag = 'card account'
  return [
    companyRoute(
      { anyOf: ['balance:read'] },
      {
        method: 'GET',
        path: '/api/v1/balance/history',
        tag,
        id: 'getBalanceHistory',
        summary: 'Read the balance of each day',
        description:
          'Returns what the card account had at the end of each UTC day from `from` to `to`, oldest first. At most 366 days, with any number of entries.',
        refusals: ['statement_range_too_large', 'entries_archived'],
        query: HistoryQuery,
        responses: { 200: BalanceHistory },
        handle: async ({ caller: { scope }, query }) => {
          const range = requireRange(query, 'A balance history')
          const days = await listDays(db, scope, range.start, countDays(range, clock.now()))
          await requireUnarchived(db, scope, range.start)
          const data = days.map((row) => ({ ...row, balance: formatCents(row.balance), held: formatCents(row.held) }))
          return ok({ environment: scope.environment, currency: 'USD', data })
        },
      },
    ),
    companyRoute(
      { anyOf: ['balance:read'] },
      {
        method: 'GET',
        path: '/api/v1/account-entries',
        tag,
        id: 'listAccountEntries',
        summary: 'List the entries of the card account',
        description:
          'Lists the movements on the card account, newest first, page by page and without a limit on their number. A statement has the same entries with a proof. Without `from`, the list ends with the oldest entry that is not archived.',
        refusals: ['entries_archived'],
        query: EntryQuery,
        responses: { 200: pageOf(AccountEntry) },
        handle: async ({ caller: { scope }, query }) => {
          const reference = query.reference === undefined ? undefined : findReference(query.reference)
          const filter = { ...parseInstantRange(query), kind: query.kind, moves: query.moves, reference }
          const begin = findBegin(filter.from, query.reference)
          return answerPage({
            cursors,
            name: 'entries',
            scope,
            query,
            fetch: async ({ after, limit }) => {
              const rows = await listEntries(db, scope, filter, { below: numberOfId(after), limit })
              if (begin !== undefined) await requireUnarchived(db, scope, ...begin)
              return withSubjects(db, scope, rows)
            },
            idOf: ({ number }) => idOfNumber(number),
            toWire: toNamedEntry(scope),
          })
        },
      },
    ),
  ]
}

/** Days that have not begun are not counted: nobody knows their balance. */
function countDays({ start, until }: DayRange, now: Date): number {
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS
  return Math.max(0, (Math.min(until.getTime(), tomorrow) - start.getTime()) / DAY_MS)
}

/**
 * Returns when the entries that are asked for begin, and the parameter that says so: an operation is created when its first entry is
 * written. Other objects get theirs later.
 */
function findBegin(from: Date | null, reference = ''): [Date, 'from' | 'reference'] | undefined {
  if (from !== null) return [from, 'from']
  const id = findId('op', reference)
  return id === undefined ? undefined : [timeInId(id), 'reference']
}

/** What an entry can belong to. */
const REFERENCES: readonly Prefix[] = ['op', 'inv', 'rev', 'fund', 'card', 'txn']

function findReference(text: string): string {
  return REFERENCES.map((prefix) => findId(prefix, text)).find((id) => id !== undefined) ?? ZERO_ID
}
