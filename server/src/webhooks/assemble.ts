// Puts the parts of webhooks together from the server's settings, for the routes and for the worker.
import type { Dispatcher } from 'undici'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import { deriveKeys, type SecretKeys, toSecretKeys } from '../lib/secret-keys.ts'
import type { Job } from '../worker/loop.ts'
import type { Polling } from '../worker/polling.ts'
import type { AttemptDeps } from './attempt.ts'
import { createAgent } from './connector.ts'
import { createDeliverer } from './deliver.ts'
import { webhookJobs } from './jobs.ts'
import { createNameResolver, type Resolve } from './resolver.ts'
import { createSecretBox, type SecretBox } from './secrets.ts'
import { bareHost, type UrlRules } from './url.ts'

export interface WebhookOptions {
  config: Pick<Config, 'http' | 'webhooks' | 'retention' | 'intakeGrouping'>
  /** One key, or keys that can be rotated while the server runs. */
  secretKey: Buffer | SecretKeys
  /** The keys of webhook secrets, newest first, besides the one derived from the secret key. */
  webhookKeys?: readonly Buffer[]
  /** How long a receiver may take to answer. */
  webhookDeadlineMs?: number
  /** How the names of receivers are resolved; over DNS by default. */
  webhookResolve?: Resolve
  /** The HTTP client of deliveries; one that checks the addresses of receivers by default. */
  webhookAgent?: Dispatcher
}

/** Encrypts with the first key. Those derived from the secret keys always decrypt, so that setting another needs no migration. */
export function createWebhookBox({
  secretKey,
  webhookKeys = [],
}: Pick<WebhookOptions, 'secretKey' | 'webhookKeys'>): SecretBox {
  const derived = deriveKeys(toSecretKeys(secretKey), 'webhook secrets')
  return createSecretBox(() => {
    const [first, ...rest] = [...webhookKeys, ...derived()]
    return [must(first), ...rest]
  })
}

export function webhookUrlRules({ config: { http, webhooks } }: WebhookOptions): UrlRules {
  const names = [http.host, ...(http.publicUrl === undefined ? [] : [new URL(http.publicUrl).hostname])]
  const { allowPrivateAddresses, isDefault } = webhooks
  return { allowPrivateAddresses, isOpenByDefault: allowPrivateAddresses && isDefault, ownHosts: names.map(bareHost) }
}

export interface WebhookWorker {
  readonly jobs: readonly Job[]
  /** Must be called after the jobs have stopped. */
  stop(): Promise<void>
}

type WorkerDeps = Pick<AttemptDeps, 'showOperation' | 'onAttempt' | 'tracing'> & { polling: Polling }

export function createWebhookWorker(
  options: WebhookOptions & { db: Db; clock: Clock; log: Log },
  { polling, showOperation, onAttempt, tracing }: WorkerDeps,
): WebhookWorker {
  const { db, clock, log, webhookDeadlineMs: deadlineMs } = options
  const secretBox = createWebhookBox(options)
  const names = createNameResolver()
  const { webhookResolve: resolve = names.resolve } = options
  const { webhookAgent } = options
  let agent: Promise<Dispatcher> | undefined
  const openAgent = () =>
    (agent ??=
      webhookAgent === undefined
        ? createAgent({ ...webhookUrlRules(options), resolve })
        : Promise.resolve(webhookAgent))
  const deliverer = createDeliverer({
    db,
    clock,
    log,
    openAgent,
    secretBox,
    showOperation,
    tracing,
    polling,
    grouping: options.config.intakeGrouping,
    ...(onAttempt === undefined ? {} : { onAttempt }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  })
  return {
    jobs: [...deliverer.jobs, ...webhookJobs({ db, clock, secretBox, retention: options.config.retention })],
    async stop() {
      await deliverer.stop()
      names.close()
      await (await agent)?.destroy()
    },
  }
}
