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
import { type Loop, startLoop } from './worker/loop.ts'

export interface Worker {
  /** There is an operation to carry out. */
  wake(): void
  stop(): Promise<void>
}

export function startWorker(
  deps: FundingDeps & { log: Log; health: Health; retention: Config['retention'] },
  webhooks: WebhookWorker,
): Worker {
  const { db, clock, log, health, gates, issuerTimeoutMs, retention } = deps
  const settler = createSettler({ db, clock })
  let claims: Loop | undefined
  // Do not wake the other jobs: under load they would all query the database with every batch.
  const wake = () => claims?.wake()
  const processor = createProcessor({ db, clock, log, settler, gates, issuerTimeoutMs, onRoom: wake })
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
  claims = startLoop(processor.claims, log, mayRun)
  const loops = [claims, ...jobs.map((job) => startLoop(job, log, mayRun))]
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
