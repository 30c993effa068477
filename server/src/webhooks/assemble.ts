// The parts of webhooks put together from the server's settings, for the routes and for the worker.
import type { Dispatcher } from 'undici'
import type { Config } from '../config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { deriveKey } from '../lib/digest.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from '../worker/loop.ts'
import type { AttemptDeps } from './attempt.ts'
import { createAgent, type Resolve } from './connector.ts'
import { createDeliverer } from './deliver.ts'
import { webhookJobs } from './jobs.ts'
import { createSecretBox, type SecretBox } from './secrets.ts'
import { bareHost, type UrlRules } from './url.ts'

export interface WebhookOptions {
  config: Pick<Config, 'http' | 'webhooks'>
  secretKey: Buffer
  /** The keys of webhook secrets, newest first, besides the one made from the secret key. */
  webhookKeys?: readonly Buffer[]
  /** How long a receiver has, and how its name is resolved. */
  webhookDeadlineMs?: number
  webhookResolve?: Resolve
}

/** The first key seals; the one made from the secret key always opens, so that setting another needs nothing more. */
export function createWebhookBox({ secretKey, webhookKeys = [] }: WebhookOptions): SecretBox {
  const [first, ...rest] = [...webhookKeys, deriveKey(secretKey, 'webhook secrets')]
  return createSecretBox([must(first), ...rest])
}

export function webhookUrlRules({ config: { http, webhooks } }: WebhookOptions): UrlRules {
  const names = [http.host, ...(http.publicUrl === undefined ? [] : [new URL(http.publicUrl).hostname])]
  return { allowPrivateAddresses: webhooks.allowPrivateAddresses, ownHosts: names.map(bareHost) }
}

export interface WebhookWorker {
  readonly jobs: readonly Job[]
  /** To be called after the jobs have stopped. */
  stop(): Promise<void>
}

export function createWebhookWorker(
  options: WebhookOptions & { db: Db; clock: Clock; log: Log },
  { showOperation, onAttempt }: Pick<AttemptDeps, 'showOperation' | 'onAttempt'>,
): WebhookWorker {
  const { db, clock, log, webhookDeadlineMs: deadlineMs, webhookResolve: resolve } = options
  const secretBox = createWebhookBox(options)
  let agent: Promise<Dispatcher> | undefined
  const openAgent = () =>
    (agent ??= createAgent({ ...webhookUrlRules(options), ...(resolve === undefined ? {} : { resolve }) }))
  const deliverer = createDeliverer({
    db,
    clock,
    log,
    openAgent,
    secretBox,
    showOperation,
    ...(onAttempt === undefined ? {} : { onAttempt }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  })
  return {
    jobs: [...deliverer.jobs, ...webhookJobs({ db, clock, secretBox })],
    async stop() {
      await deliverer.stop()
      await (await agent)?.destroy()
    },
  }
}
