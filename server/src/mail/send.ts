// Sends the mails of the queue. A mail is claimed before it is sent and marked after it, so that a process that is killed in between
// sends it again, with the same Message-ID: at least once, never silently not at all.
import type { Counter } from 'prom-client'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { KeyBox } from '../lib/secret-box.ts'
import type { Job } from '../worker/loop.ts'
import { writeMail } from './content.ts'
import { GIVE_UP_MS, NOTICES_PER_PERSON } from './limits.ts'
import { findLink } from './links.ts'
import { claimMails, endMail, type MailRow, recordFailure } from './queries.ts'
import type { Attempt, Transport } from './transport.ts'

/** Mails that one process sends at a time, each on a connection of its own. Mail servers accept about that many. */
const BATCH = 5
/** Somebody waits for their link. Looking costs one index look-up. */
const INTERVAL_MS = 1_000
/** On a stop: attempts that take longer are left, and another process makes them again. A mail server may take 30 s. */
const STOP_WITHIN_MS = 3_000

export interface SendDeps {
  db: Db
  clock: Clock
  log: Log
  mailBox: KeyBox
  /** Opened with the first mail. */
  transport: () => Promise<Transport>
  attempts: Counter<'outcome'>
  baseUrl(): string
}

export function sendMailsJob(deps: SendDeps): Job {
  const { db, clock } = deps
  return {
    name: 'mail',
    intervalMs: INTERVAL_MS,
    stopWithinMs: STOP_WITHIN_MS,
    run: async () => {
      const rows = await claimMails(db, clock.now(), BATCH, NOTICES_PER_PERSON)
      await Promise.all(rows.map((row) => sendMail(deps, row)))
      return rows.length === BATCH
    },
  }
}

async function sendMail(deps: SendDeps, row: MailRow): Promise<void> {
  const { db, clock, log, attempts } = deps
  const about = { mailId: row.id, kind: row.kind, tries: row.tries }
  if (row.is_stale) return endMail(db, row.id, { status: 'cancelled', reason: null }).then(() => undefined)
  const giveUpAt = row.created_at.getTime() + GIVE_UP_MS
  const attempt: Attempt =
    clock.now().getTime() >= giveUpAt
      ? { outcome: 'refused', reason: 'it was not sent in time' }
      : await attemptOf(deps, row)
  if (attempt.outcome === 'sent') {
    attempts.inc({ outcome: 'sent' })
    await endMail(db, row.id, { status: 'sent', reason: null })
  } else if (attempt.outcome === 'refused' || row.due_at.getTime() >= giveUpAt) {
    attempts.inc({ outcome: 'failed' })
    await endMail(db, row.id, { status: 'failed', reason: attempt.reason })
    log.warn({ ...about, reason: attempt.reason }, 'An e-mail could not be sent, and no further attempt is made.')
  } else {
    attempts.inc({ outcome: 'retry' })
    await recordFailure(db, row.id, attempt.reason)
    log.warn(
      { ...about, reason: attempt.reason, nextAt: row.due_at },
      'An e-mail could not be sent. It is tried again.',
    )
  }
}

async function attemptOf({ mailBox, transport, baseUrl }: SendDeps, row: MailRow): Promise<Attempt> {
  const link = row.link && findLink(mailBox, row.id, { ciphertext: row.link, keyId: row.link_key_id })
  if (link === undefined) {
    return { outcome: 'failed', reason: 'its link is encrypted with a key that is not set (SECRET_KEY_PREVIOUS)' }
  }
  const content = writeMail(row.kind, row.details, { baseUrl: baseUrl(), link: link ?? undefined })
  return (await transport()).send({ id: row.id, to: row.email, ...content })
}
