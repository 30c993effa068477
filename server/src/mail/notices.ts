// Looks every few minutes for what people want to be told of, and queues mails about what nobody was told of yet. It only reads the state
// of other rooms and is safe to repeat: what was told is stored in the transaction that queues the mails.
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, type Prefix, ZERO_ID } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Environment } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import { showTime } from './content.ts'
import { NOTICE_ROLES, type NoticeKind } from './kinds.ts'
import { ITEMS_MAX, NOTICES_PER_COMPANY, QUEUE_MAX } from './limits.ts'
import * as queries from './queries.ts'

/** What happens within this time comes in one mail. */
const INTERVAL_MS = 300_000
/** Rows that one statement reads. */
const PAGE = 500
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A receiver that is restarted is back sooner. */
const FAILING_MS = DAY_MS
/** What has lasted for longer was told long ago. What was told is kept for longer, so that it is not told again. */
const OLDEST_MS = 30 * DAY_MS
/** A balance that moves around its threshold is told once in this time. */
export const LOW_BALANCE_PAUSE_MS = DAY_MS
const LIMITS = { items: ITEMS_MAX, queue: QUEUE_MAX, company: NOTICES_PER_COMPANY }
/** Long enough to roll out a new key without haste, and a last time. */
const EXPIRY_NOTICES = [
  { name: '1d', ms: DAY_MS },
  { name: '7d', ms: 7 * DAY_MS },
] as const

const REVIEW_PREFIXES: Readonly<Record<string, Prefix>> = {
  operation: 'op',
  card_change: 'chg',
  invoice: 'inv',
  payment: 'rev',
}

interface Deps {
  db: Db
  clock: Clock
  /** Then the reviews of the sandbox are not mailed: any company can cause very many, and decides its own. */
  hasLiveIssuer: boolean
}

export function noticesJob(deps: Deps): Job {
  return {
    name: 'notices',
    intervalMs: INTERVAL_MS,
    run: async () => {
      await queueAllNotices(deps)
      return false
    },
  }
}

export async function queueAllNotices(deps: Deps): Promise<void> {
  await queueReviews(deps)
  await queueLowBalances(deps)
  await queueEndpoints(deps)
  await queueKeys(deps)
}

interface Subject {
  /** Null for the programme. */
  readonly companyId: string | null
  readonly subject: string
  readonly item: Readonly<Record<string, string>>
}

/** One mail about all subjects of a company. */
async function queue({ db, clock }: Deps, kind: NoticeKind, subjects: readonly Subject[]): Promise<void> {
  for (const companyId of new Set(subjects.map((each) => each.companyId))) {
    const own = subjects.filter((each) => each.companyId === companyId)
    const notices = {
      kind,
      companyId,
      roles: NOTICE_ROLES[kind],
      subjects: own.map(({ subject }) => subject),
      items: own.map(({ item }) => item),
    }
    await queries.queueNotices(db, clock.now(), notices, LIMITS)
  }
}

/** Calls `use` with each page of a list that is ordered by id. */
async function forEachPage<Row extends { id: string }>(
  read: (page: { after: string; limit: number }) => Promise<Row[]>,
  use: (rows: Row[]) => Promise<void>,
): Promise<void> {
  for (let after: string | undefined = ZERO_ID; after !== undefined;) {
    const rows: Row[] = await read({ after, limit: PAGE })
    if (rows.length > 0) await use(rows)
    after = rows.length === PAGE ? rows.at(-1)?.id : undefined
  }
}

async function queueReviews(deps: Deps): Promise<void> {
  const since = ago(deps, OLDEST_MS)
  const isTold = ({ environment }: { environment: Environment }) => environment === 'live' || !deps.hasLiveIssuer
  await forEachPage(
    (page) => queries.listWaitingReviews(deps.db, { ...page, since }),
    (rows) =>
      queue(
        deps,
        'reviews',
        rows.filter(isTold).map(({ id, object, environment }) => {
          const wireId = formatId(must(REVIEW_PREFIXES[object]), id)
          return { companyId: null, subject: wireId, item: { id: wireId, environment } }
        }),
      ),
  )
}

async function queueLowBalances(deps: Deps): Promise<void> {
  const { db } = deps
  const read = ({ after, limit }: { after: string; limit: number }) => queries.listThresholds(db, after, limit)
  await forEachPage(read, async (rows) => {
    const balances = await queries.listAvailable(
      db,
      rows.map(({ id }) => id),
    )
    const thresholds = new Map(rows.map((row) => [row.id, row]))
    const compared = balances.flatMap(({ company_id: companyId, environment, available }) => {
      const row = thresholds.get(companyId)
      const threshold = environment === 'live' ? row?.low_balance_live : row?.low_balance_sandbox
      if (threshold === undefined || threshold === null) return []
      return [{ companyId, environment, isLow: available < threshold, subject: subjectOf(companyId, environment) }]
    })
    const enough = compared.filter(({ isLow }) => !isLow).map(({ subject }) => subject)
    await queries.forgetNotices(db, 'low_balance', enough, ago(deps, LOW_BALANCE_PAUSE_MS))
    const low = compared.filter(({ isLow }) => isLow)
    await queue(
      deps,
      'low_balance',
      low.map(({ companyId, environment, subject }) => ({ companyId, subject, item: { environment } })),
    )
  })
}

const subjectOf = (companyId: string, environment: Environment) => `${formatId('co', companyId)} ${environment}`

async function queueEndpoints(deps: Deps): Promise<void> {
  const period = { from: ago(deps, OLDEST_MS), until: ago(deps, FAILING_MS) }
  await forEachPage(
    (page) => queries.listFailingEndpoints(deps.db, { ...page, ...period }),
    (rows) =>
      queue(
        deps,
        'endpoints',
        rows.map(({ company_id: companyId, environment, id, status, failing_since: since }) => {
          const wireId = formatId('we', id)
          const state = status === 'disabled' ? 'disabled' : 'failing'
          return {
            companyId,
            // Enabling an endpoint forgets since when it failed, so that the next failures are told again.
            subject: `${wireId} ${state} ${since.toISOString()}`,
            item: { id: wireId, environment, state, since: showTime(since) },
          }
        }),
      ),
  )
}

async function queueKeys(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const until = new Date(now.getTime() + Math.max(...EXPIRY_NOTICES.map(({ ms }) => ms)))
  await forEachPage(
    (page) => queries.listExpiringKeys(deps.db, { ...page, now, until }),
    (rows) =>
      queue(
        deps,
        'keys',
        rows.map(({ company_id: companyId, id, environment, name, last4, expires_at: expiresAt }) => {
          const leftMs = expiresAt.getTime() - now.getTime()
          const notice = must(EXPIRY_NOTICES.find(({ ms }) => leftMs <= ms))
          return {
            companyId,
            subject: `${formatId('key', id)} ${notice.name} ${expiresAt.toISOString()}`,
            item: { name, last4, environment, expiresAt: showTime(expiresAt) },
          }
        }),
      ),
  )
}

function ago({ clock }: Deps, ms: number): Date {
  return new Date(clock.now().getTime() - ms)
}
