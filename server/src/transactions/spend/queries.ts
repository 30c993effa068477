// The SQL that adds up what was spent with cards.
import type { Db } from '../../db/pool.ts'
import { planEachTime, sql } from '../../db/sql.ts'
import { ApiError } from '../../errors.ts'
import { ZERO_ID } from '../../lib/ids.ts'
import { NEWEST_ID } from '../../lib/slice.ts'
import type { Scope } from '../../lib/scope.ts'
import { readInWindows } from '../../lib/windows.ts'
import type { SpendGroup } from './schema.ts'

export interface SpendRow {
  /** The id of a card or a holder, a merchant in lower case, a category of four digits or none, or a month such as 2026-01. */
  key: string
  /** The name of the merchant as it was written. */
  merchant: string
  count: number
  /** What was spent, in cents: refunds lower it. */
  amount: bigint
}

interface SpendRange {
  readonly start: Date
  readonly until: Date
}

/** Payments that one statement adds up, within about ten milliseconds. */
const SUM_ROWS = 20_000
/** Groups that are kept in memory while the payments are added up: a few megabytes. */
export const SPEND_GROUPS_MAX = 50_000

interface Position {
  id: string
  occurred_at: Date
}

/** Returns one row for each card, holder, merchant, category or month, in no order. */
export async function addSpend(db: Db, scope: Scope, by: SpendGroup, range: SpendRange): Promise<SpendRow[]> {
  const totals = new Map<string, SpendRow>()
  await readInWindows<never, Position>({
    after: { id: NEWEST_ID, occurred_at: range.until },
    limit: Infinity,
    findEnd: (after) => findAhead(db, scope, range, after),
    async read(after, end) {
      for (const part of await addWindow(db, scope, by, { range, after, end })) {
        const { count, amount } = totals.get(part.key) ?? { count: 0, amount: 0n }
        totals.set(part.key, { ...part, count: count + part.count, amount: amount + part.amount })
      }
      requireFew(totals.size)
      return []
    },
  })
  return [...totals.values()]
}

function requireFew(groups: number): void {
  if (groups <= SPEND_GROUPS_MAX) return
  const message = `These days have more than ${SPEND_GROUPS_MAX} groups. Ask for a shorter range.`
  throw new ApiError('validation_failed', message, { param: 'from' })
}

function findAhead(db: Db, scope: Scope, { start }: SpendRange, after: Position) {
  return db.find<Position>(
    planEachTime(sql`
      select id, occurred_at from transaction
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and (occurred_at, id) < (${after.occurred_at}, ${after.id}::uuid) and occurred_at >= ${start}
      order by occurred_at desc, id desc offset ${SUM_ROWS} limit 1`),
  )
}

interface Window {
  range: SpendRange
  after: Position
  end: Position | undefined
}

/** A declined, reversed or expired payment took no money, and an adjustment is a correction, not a payment. */
function addWindow(db: Db, scope: Scope, by: SpendGroup, { range, after, end }: Window) {
  return db.many<SpendRow>(
    planEachTime(sql`
      select case ${by}::text
               when 'card' then t.card_id::text
               when 'holder' then c.holder_id::text
               when 'merchant' then lower(t.merchant)
               when 'category' then coalesce(t.merchant_category, '')
               else to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM')
             end as key,
             min(t.merchant) as merchant, count(*)::integer as count, -sum(t.card_amount)::bigint as amount
      from transaction t
      join card c on c.company_id = t.company_id and c.environment = t.environment and c.id = t.card_id
      where t.company_id = ${scope.companyId} and t.environment = ${scope.environment}
        and c.company_id = ${scope.companyId} and c.environment = ${scope.environment}
        and (t.occurred_at, t.id) < (${after.occurred_at}, ${after.id}::uuid)
        and (t.occurred_at, t.id) >= (${end?.occurred_at ?? range.start}, ${end?.id ?? ZERO_ID}::uuid)
        and t.status in ('pending', 'settled') and t.type <> 'adjustment'
      group by 1`),
  )
}
