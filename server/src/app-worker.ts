// Creates the background work: each job runs in its own loop, and the jobs stop in an order that loses nothing.
import { cardChangeJob } from './card-changes/change.ts'
import type { Config } from './config.ts'
import type { Health } from './db/health.ts'
import type { FundingDeps } from './funding/deps.ts'
import { fundingJobs } from './funding/settle.ts'
import { sealJob } from './ledger/seal.ts'
import { createSettler } from './ledger/settle.ts'
import { erasureJob } from './holders/erase.ts'
import { pruneExchangesJob } from './issuer/prune.ts'
import type { Log } from './lib/log.ts'
import { createProcessor } from './operations/process.ts'
import { prunePeopleJob } from './people/prune.ts'
import { pruneRequestLogJob } from './request-log/prune.ts'
import type { WebhookWorker } from './webhooks/assemble.ts'
import { type Job, type Loop, startLoop } from './worker/loop.ts'
import { askForWork, slowDown } from './worker/pace.ts'

export interface Worker {
  /** There is an operation to carry out. */
  wake(): void
  stop(): Promise<void>
}

export function startWorker(
  deps: FundingDeps & { log: Log; health: Health } & Pick<Config, 'retention' | 'intakeGrouping'>,
  webhooks: WebhookWorker,
): Worker {
  const { db, clock, log, health, gates, issuerTimeoutMs, retention, intakeGrouping: grouping } = deps
  const settler = createSettler({ db, clock, grouping })
  let claims: Loop | undefined
  // Do not wake the other jobs: under load they would all query the database with every batch.
  const wake = () => claims?.wake()
  const processor = createProcessor({ db, clock, log, settler, gates, issuerTimeoutMs, grouping, onRoom: wake })
  const changes = cardChangeJob({ db, clock, log, gates, issuerTimeoutMs })
  const upkeep = [
    sealJob({ db, clock }),
    pruneRequestLogJob({ db, clock }),
    prunePeopleJob({ db, clock }),
    erasureJob({ db, clock }),
    ...(retention.exchangesDays === undefined ? [] : [pruneExchangesJob({ db, clock }, retention.exchangesDays)]),
  ]
  const jobs = [processor.lookUps, ...fundingJobs(deps), changes, ...upkeep, ...webhooks.jobs]
  const mayRun = () => health.trouble() === undefined
  const start = (job: Job) => startLoop(grouping === 'citus' ? slowDown(job) : job, log, mayRun)
  claims = start(processor.claims)
  const byName = new Map([[processor.claims.name, claims], ...jobs.map((job) => [job.name, start(job)] as const)])
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
      await processor.idle()
      await settler.idle()
      await webhooks.stop()
    },
  }
}
