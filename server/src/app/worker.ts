// Creates the background work: each job runs in its own loop, and the jobs stop in an order that loses nothing.
import { cardChangeKind } from '../card-changes/request-kind.ts'
import type { Config } from '../config/config.ts'
import type { Health } from '../db/health.ts'
import type { FundingDeps } from '../funding/deps.ts'
import { invoiceExpiryJob } from '../funding/expire.ts'
import { invoiceKind } from '../funding/request-kind.ts'
import { sealJob } from '../ledger/seal.ts'
import { createSettler } from '../ledger/settle.ts'
import { erasureJob } from '../holders/erase.ts'
import { pruneIssuerMinutesJob } from '../issuer/call-record.ts'
import { pruneExchangesJob } from '../issuer/prune.ts'
import type { Log } from '../lib/log.ts'
import { type MailConfig, mailJobs } from '../mail/assemble.ts'
import { lookUpsOf } from '../issuer/requests/look-up.ts'
import { createRequestWorker } from '../issuer/requests/worker.ts'
import { operationKind } from '../operations/request-kind.ts'
import type { PeopleDeps } from '../people/deps.ts'
import { prunePeopleJob } from '../people/prune.ts'
import { pruneServerMinutesJob } from '../programme/server-record.ts'
import { pruneRequestLogJob } from '../request-log/prune.ts'
import type { AttemptDeps } from '../webhooks/attempt.ts'
import { createWebhookWorker, type WebhookOptions } from '../webhooks/assemble.ts'
import { type Job, type Loop, startLoop } from '../worker/loop.ts'
import { askForWork, slowDown } from '../worker/pace.ts'
import { createPolling } from '../worker/polling.ts'

export interface Worker {
  /** There is an operation to carry out. */
  wake(): void
  stop(): Promise<void>
}

type WorkerDeps = FundingDeps & { log: Log; health: Health } & Pick<
    Config,
    'retention' | 'intakeGrouping' | 'requestLog'
  > &
  MailConfig &
  Pick<PeopleDeps, 'mail' | 'baseUrl'> &
  Pick<AttemptDeps, 'showOperation' | 'onAttempt' | 'tracing'>

export function startWorker(deps: WorkerDeps, webhookOptions: WebhookOptions): Worker {
  const { db, clock, log, health, gates, issuerTimeoutMs, intakeGrouping: grouping } = deps
  const polling = createPolling()
  const webhooks = createWebhookWorker({ ...webhookOptions, db, clock, log }, { ...deps, polling })
  const settler = createSettler({ db, clock, grouping })
  let claims: Loop | undefined
  let others: readonly Loop[] = []
  const wake = () => {
    claims?.wake()
    // After a quiet time the other jobs get their short intervals back. Under load they are not woken: they would all query the
    // database with every batch.
    if (polling.isIdle) for (const loop of others) loop.wake()
    polling.hurry()
  }
  const requests = createRequestWorker(
    { db, clock, log, gates, issuerTimeoutMs, grouping, polling, isTraced: deps.tracing !== undefined, onRoom: wake },
    operationKind({ db, log, settler, grouping }),
    [lookUpsOf(invoiceKind(deps)), lookUpsOf(cardChangeKind(deps))],
  )
  const jobs = [requests.lookUps, invoiceExpiryJob(deps), ...upkeepJobs(deps), ...webhooks.jobs].map((job) =>
    grouping === 'citus' ? slowDown(job) : job,
  )
  const mayRun = () => health.trouble() === undefined
  const start = (job: Job) => startLoop(job, log, mayRun)
  claims = start(grouping === 'citus' ? slowDown(requests.claims) : requests.claims)
  // Mails are on the coordinator, so that looking for them asks no node.
  const all = [...jobs, ...mailJobs({ ...deps, hasLiveIssuer: gates.live !== undefined }, deps)]
  const byName = new Map([[requests.claims.name, claims], ...all.map((job) => [job.name, start(job)] as const)])
  others = [requests.lookUps, ...webhooks.jobs].flatMap(({ name }) => byName.get(name) ?? [])
  const loops = [...byName.values()]
  if (grouping === 'citus')
    loops.push(
      startLoop(
        askForWork({ db, clock }, (name) => byName.get(name)?.wake()),
        log,
        mayRun,
      ),
    )
  return {
    wake,
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
      await requests.idle()
      await settler.idle()
      await webhooks.stop()
    },
  }
}

/** What only keeps the tables in order. */
function upkeepJobs({
  db,
  clock,
  retention: { exchangesDays },
  requestLog,
  intakeGrouping: grouping,
}: WorkerDeps): Job[] {
  return [
    sealJob({ db, clock, grouping }),
    // Without the log nothing is added, and what is left goes after its seven days.
    pruneRequestLogJob({ db, clock }, requestLog === false ? Number.POSITIVE_INFINITY : requestLog.recordsMax),
    prunePeopleJob({ db, clock }),
    erasureJob({ db, clock }),
    pruneIssuerMinutesJob({ db, clock }),
    pruneServerMinutesJob({ db, clock }),
    ...(exchangesDays === undefined ? [] : [pruneExchangesJob({ db, clock }, exchangesDays)]),
  ]
}
