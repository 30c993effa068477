// Puts the parts of e-mail together from the server's settings. Without a mail server nothing is queued and nothing is sent.
import type { Counter, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import type { KeyBox } from '../lib/secret-box.ts'
import type { SecretKeys } from '../lib/secret-keys.ts'
import type { Job } from '../worker/loop.ts'
import { createMailBox } from './links.ts'
import { addMailMetrics } from './metrics.ts'
import { noticesJob } from './notices.ts'
import { pruneMailsJob } from './prune.ts'
import { sendMailsJob } from './send.ts'
import type { Transport } from './transport.ts'

export type MailConfig = Pick<Config, 'mailFrom'> & { secrets: Pick<Config['secrets'], 'smtpUrl'> }

/** What is there when a mail server is set. */
export interface Mail {
  readonly box: KeyBox
  readonly attempts: Counter<'outcome'>
}

export function createMail(
  { secrets: { smtpUrl } }: MailConfig,
  deps: { db: Db; clock: Clock; registry: Registry; secretKeys: SecretKeys },
): Mail | undefined {
  if (smtpUrl === undefined) return undefined
  return { box: createMailBox(deps.secretKeys), attempts: addMailMetrics(deps.registry, deps) }
}

/** Loads the package only now. Throws if the settings name a certificate that cannot be read. */
export async function openMailServer({ mailFrom, secrets: { smtpUrl } }: MailConfig): Promise<Transport> {
  const { openTransport } = await import('./transport.ts')
  return openTransport({ url: must(smtpUrl), from: must(mailFrom) })
}

interface JobDeps {
  db: Db
  clock: Clock
  log: Log
  mail: Mail | undefined
  hasLiveIssuer: boolean
  baseUrl(): string
}

export function mailJobs(deps: JobDeps, config: MailConfig): Job[] {
  const { mail } = deps
  if (mail === undefined) return [pruneMailsJob(deps)]
  let opened: Promise<Transport> | undefined
  const transport = () => (opened ??= openMailServer(config))
  return [
    pruneMailsJob(deps),
    noticesJob(deps),
    sendMailsJob({ ...deps, transport, mailBox: mail.box, attempts: mail.attempts }),
  ]
}
