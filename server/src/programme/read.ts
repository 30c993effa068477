// Reads what operators see first. Nothing here changes anything, and no figure is computed from another page's data.
import type { Db } from '../db/pool.ts'
import type { Health } from '../db/health.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { cents, formatCents } from '../lib/money.ts'
import type { Environment } from '../lib/scope.ts'
import { measureReviews } from '../reviews/queries.ts'
import {
  type HealthRow,
  listIssuerHealth,
  listOutages,
  listServerHealth,
  measureQueues,
  measureWaiting,
  sumMoney,
} from './queries.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Processes whose clocks differ write the same minute this much apart, or less. */
const WRITTEN_WITHIN_MS = 5_000

interface Waiting {
  readonly count: number
  readonly oldest: Date | null
  readonly company_id?: string | null
}

export async function readOverview(db: Db) {
  const [reviews, others, money] = await Promise.all([measureReviews(db), measureWaiting(db), sumMoney(db)])
  const show = (rows: readonly Waiting[]) => ({
    count: rows.reduce((sum, { count }) => sum + count, 0),
    oldest: earliestOf(rows.map(({ oldest }) => oldest))?.toISOString() ?? null,
    companyId: companyOf(rows[0]),
  })
  const of = (wanted: string) => show(others.filter(({ kind }) => kind === wanted))
  return {
    waiting: {
      verifications: of('verifications'),
      holders: of('holders'),
      reviews: show(reviews),
      failingEndpoints: of('failing_endpoints'),
    },
    money: money.map(({ environment, companies, available, held, on_cards: onCards }) => ({
      environment,
      companies,
      available: formatCents(cents(available)),
      held: formatCents(cents(held)),
      onCards: formatCents(cents(onCards)),
    })),
  }
}

export async function readIssuerHealth({ db, clock }: { db: Db; clock: Clock }, environments: readonly Environment[]) {
  const since = new Date(clock.now().getTime() - DAY_MS)
  const [rows, outages, queues] = await Promise.all([listIssuerHealth(db, since), listOutages(db), measureQueues(db)])
  return environments.map((environment) => {
    const history = rows.filter((row) => row.environment === environment)
    const queue = queues.find((row) => row.environment === environment)
    const latest = history.at(-1)
    return {
      environment,
      notAnsweringSince: outages.find((row) => row.environment === environment)?.since.toISOString() ?? null,
      lastAnswerAt: latestOf(history.map((row) => row.last_answer_at))?.toISOString() ?? null,
      latencyMs: latencyOf(history.findLast(({ answered }) => answered > 0)),
      unansweredShare: latest === undefined ? null : latest.unanswered / (latest.answered + latest.unanswered),
      queued: queue?.queued ?? 0,
      oldestQueuedAt: queue?.oldest?.toISOString() ?? null,
      history: history.map((row) => ({
        at: row.bucket.toISOString(),
        answered: row.answered,
        unanswered: row.unanswered,
        latencyMs: latencyOf(row),
      })),
    }
  })
}

export async function readServerHealth({ db, clock, health }: { db: Db; clock: Clock; health: Health }) {
  const nowMs = clock.now().getTime()
  const until = new Date(Math.floor((nowMs - WRITTEN_WITHIN_MS) / MINUTE_MS) * MINUTE_MS)
  const rows = await listServerHealth(db, { since: new Date(nowMs - DAY_MS), until })
  return {
    databaseUsable: health.trouble() === undefined,
    until: until.toISOString(),
    history: rows.map((row) => ({
      at: row.bucket.toISOString(),
      minutes: row.minutes,
      processes: row.processes,
      requests: row.requests,
      serverErrors: row.server_errors,
      webhookAttempts: row.webhook_attempts,
      webhookFailures: row.webhook_failures,
      callsInFlight: row.calls_in_flight,
      callsStopped: row.calls_stopped,
      queued: row.queued,
      inReview: row.in_review,
      oldestDeliverySeconds: row.oldest_delivery_ms === null ? null : Number(row.oldest_delivery_ms) / 1000,
    })),
  }
}

function companyOf(row: Waiting | undefined): string | null {
  const id = row?.company_id ?? null
  return id === null ? null : formatId('co', id)
}

function latencyOf(row: HealthRow | undefined): number | null {
  return row === undefined || row.answered === 0 ? null : Math.round(Number(row.answered_ms) / row.answered)
}

function earliestOf(times: readonly (Date | null)[]): Date | undefined {
  return sorted(times)[0]
}

function latestOf(times: readonly (Date | null)[]): Date | undefined {
  return sorted(times).at(-1)
}

function sorted(times: readonly (Date | null)[]): Date[] {
  return times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())
}
