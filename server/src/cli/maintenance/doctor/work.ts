// The doctor's checks of the work: whether it is carried out, and what waits for a person. They only read, and judge by the
// thresholds of the alert rules in deploy/prometheus.
import { countConnections } from '../../../db/queries.ts'
import type { Db } from '../../../db/pool.ts'
import { createSealLook } from '../../../ledger/metrics.ts'
import { must } from '../../../lib/invariant.ts'
import { ENVIRONMENTS } from '../../../lib/scope.ts'
import { measureDueQueues } from '../../../operations/queries.ts'
import { measureMails } from '../../../mail/queries.ts'
import { measureReviews } from '../../../reviews/queries.ts'
import { measureQueues } from '../../../webhooks/queries.ts'
import { type Check, ok, warn } from './check.ts'

/** A worker begins within a second, and an issuer's outage is reported by itself. */
const QUEUE_AGE_MAX_MS = 60_000
const WEBHOOK_AGE_MAX_MS = 60_000
/** A receiver that is restarted is back sooner. */
const FAILING_AGE_MAX_MS = 3_600_000
/** A mail server that restarts is back sooner. */
const MAIL_AGE_MAX_MS = 3_600_000
const DAY_MS = 86_400_000
const SEAL_LAG_MAX_MS = 300_000
const REVIEW_AGE_MAX_MS = 4 * 3_600_000
/** Of the connections that PostgreSQL accepts. */
const CONNECTIONS_SHARE_MAX = 0.85

const START_WORKER = 'Start a server, or a worker with cardstock serve --role worker.'

export async function examineWork(db: Db, now: Date): Promise<Check[]> {
  return Promise.all([
    checkQueue(db, now),
    checkReviews(db, now),
    checkWebhooks(db, now),
    checkMails(db, now),
    checkSeals(db, now),
    checkConnections(db),
  ])
}

async function checkQueue(db: Db, now: Date): Promise<Check> {
  const name = 'worker'
  const rows = (await Promise.all(ENVIRONMENTS.map((environment) => measureDueQueues(db, environment, now, 1)))).flat()
  const oldestMs = ageOf(
    now,
    rows.map((row) => row.due_at),
  )
  if (oldestMs <= QUEUE_AGE_MAX_MS) return ok(name, 'no operation has waited for long')
  return warn(
    name,
    `an operation has been due for ${describeAge(oldestMs)}: no worker runs, or the issuer does not answer. ${START_WORKER}`,
  )
}

async function checkReviews(db: Db, now: Date): Promise<Check> {
  const name = 'reviews'
  const reviews = await measureReviews(db)
  const count = reviews.reduce((sum, { count: some }) => sum + some, 0)
  const oldestMs = ageOf(
    now,
    reviews.map(({ oldest }) => oldest),
  )
  if (oldestMs <= REVIEW_AGE_MAX_MS) return ok(name, `${count} open`)
  return warn(
    name,
    `${count} open, the oldest for ${describeAge(oldestMs)}. Decide them: cardstock admin review list, and docs/reviews.md.`,
  )
}

async function checkWebhooks(db: Db, now: Date): Promise<Check> {
  const name = 'webhooks'
  const queues = await measureQueues(db, now)
  const working = queues.filter(({ failing }) => !failing)
  const failing = queues.filter((queue) => queue.failing)
  const lateMs = ageOf(
    now,
    working.map(({ oldest }) => oldest),
  )
  if (lateMs > WEBHOOK_AGE_MAX_MS) {
    return warn(name, `a delivery to a working endpoint is ${describeAge(lateMs)} late. ${START_WORKER}`)
  }
  const failingMs = ageOf(
    now,
    failing.map(({ oldest }) => oldest),
  )
  if (failingMs > FAILING_AGE_MAX_MS) {
    const count = failing.reduce((sum, { due }) => sum + due, 0)
    return warn(
      name,
      `${count} endpoints of companies fail, one for ${describeAge(failingMs)}. Tell the companies; their console shows the answers.`,
    )
  }
  return ok(name, 'deliveries are made in time')
}

async function checkMails(db: Db, now: Date): Promise<Check> {
  const name = 'mails'
  const { waiting, failed, oldest, reason } = must(await measureMails(db, new Date(now.getTime() - DAY_MS)))
  const oldestMs = ageOf(now, [oldest])
  const why = reason === null ? '' : ` The mail server said: ${reason}.`
  if (failed > 0)
    return warn(name, `${failed} could not be sent within the last day.${why} Pass their links on yourself.`)
  if (oldestMs > MAIL_AGE_MAX_MS) return warn(name, `${waiting} wait, one for ${describeAge(oldestMs)}.${why}`)
  return ok(name, `${waiting} wait to be sent`)
}

async function checkSeals(db: Db, now: Date): Promise<Check> {
  const name = 'seals'
  const lagMs = ageOf(now, [await createSealLook(db)()])
  if (lagMs <= SEAL_LAG_MAX_MS) return ok(name, 'the entries of the ledger are sealed in time')
  return warn(
    name,
    `an entry has waited for ${describeAge(lagMs)}. ${START_WORKER} If one runs, run cardstock admin audit: an entry may be missing.`,
  )
}

async function checkConnections(db: Db): Promise<Check> {
  const name = 'connections'
  const { used, available } = must(await db.find<{ used: number; available: number }>(countConnections()))
  const text = `${used} of ${available} of PostgreSQL are in use`
  if (used <= available * CONNECTIONS_SHARE_MAX) return ok(name, text)
  return warn(name, `${text}. Raise max_connections, or lower DATABASE_POOL_SIZE.`)
}

function ageOf(now: Date, times: readonly (Date | null)[]): number {
  return Math.max(0, ...times.map((time) => (time === null ? 0 : now.getTime() - time.getTime())))
}

function describeAge(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}
