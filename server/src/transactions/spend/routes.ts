// GET /spend: what was spent with cards, by month, card, holder, merchant or category.
import type { Static } from 'typebox'
import { findCardNames } from '../../cards/names.ts'
import type { Db } from '../../db/pool.ts'
import { listHolderNames } from '../../holders/queries.ts'
import { requireRange } from '../../http/day-range.ts'
import { companyRoute, JSON_HEADERS, type Route } from '../../http/route.ts'
import { formatId } from '../../lib/ids.ts'
import { formatCents } from '../../lib/money.ts'
import type { Scope } from '../../lib/scope.ts'
import { categoryOf } from '../rules.ts'
import { addSpend, type SpendRow } from './queries.ts'
import { Spend, type SpendGroup, SpendQuery } from './schema.ts'

export function spendRoutes({ db }: { db: Db }): Route[] {
  return [
    companyRoute(
      { anyOf: ['operations:read'] },
      {
        method: 'GET',
        path: '/api/v1/spend',
        tag: 'transactions',
        id: 'getSpend',
        summary: 'Add up what was spent',
        description:
          'Adds up the card payments of some days by month, card, holder, merchant or category. Amounts are what the payments took from the cards, in USD. Refunds lower them. Declined, reversed and expired payments and adjustments are left out.',
        refusals: ['statement_range_too_large'],
        query: SpendQuery,
        responses: { 200: Spend },
        handle: async ({ caller, query }) => {
          const range = requireRange(query, 'A sum')
          const produce = async () => {
            const rows = await addSpend(db, caller.scope, query.by, range)
            return answer(db, caller.scope, query, query.by === 'category' ? groupCategories(rows) : rows)
          }
          return { status: 200, read: 'page', produce, headers: JSON_HEADERS }
        },
      },
    ),
  ]
}

async function answer(
  db: Db,
  scope: Scope,
  { by, limit }: { by: SpendGroup; limit?: number },
  rows: readonly SpendRow[],
): Promise<Static<typeof Spend>> {
  const sorted = rows.toSorted(by === 'month' ? byKey : byAmount)
  const shown = sorted.slice(0, limit)
  const left = sorted.slice(shown.length)
  const namesOf = await findNames(db, scope, by, shown)
  return {
    ...sumOf(rows),
    currency: 'USD',
    data: shown.map((row) => ({ ...sumOf([row]), ...namesOf(row) })),
    others: left.length === 0 ? null : { groups: left.length, ...sumOf(left) },
  }
}

/** Adds the four digits up by the groups that people know. */
function groupCategories(rows: readonly SpendRow[]): SpendRow[] {
  const groups = new Map<string, SpendRow>()
  for (const row of rows) {
    const { id } = categoryOf(row.key === '' ? null : row.key)
    const known = groups.get(id)
    groups.set(id, known === undefined ? row : add(known, row))
  }
  return [...groups.values()]
}

const add = (a: SpendRow, b: SpendRow): SpendRow => ({ ...a, count: a.count + b.count, amount: a.amount + b.amount })

const byKey = (a: SpendRow, b: SpendRow) => (a.key < b.key ? -1 : 1)
const byAmount = (a: SpendRow, b: SpendRow) => (a.amount === b.amount ? byKey(a, b) : a.amount > b.amount ? -1 : 1)

function sumOf(rows: readonly SpendRow[]) {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amount: formatCents(rows.reduce((sum, { amount }) => sum + amount, 0n)),
  }
}

async function findNames(db: Db, scope: Scope, by: SpendGroup, rows: readonly SpendRow[]) {
  const ids = rows.map(({ key }) => key)
  switch (by) {
    case 'month':
      return ({ key }: SpendRow) => ({ month: key })
    case 'merchant':
      return ({ merchant }: SpendRow) => ({ merchant })
    case 'category':
      return ({ key }: SpendRow) => ({ category: categoryOf(key === '' ? null : key) })
    case 'card': {
      const namesOf = await findCardNames(db, scope, ids)
      return ({ key }: SpendRow) => namesOf(key)
    }
    case 'holder': {
      const names = new Map((await listHolderNames(db, scope, ids)).map(({ id, name }) => [id, name]))
      return ({ key }: SpendRow) => ({ holder: { id: formatId('hld', key), name: names.get(key) ?? '' } })
    }
  }
}
