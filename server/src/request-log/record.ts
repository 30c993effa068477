// Collects what companies ask and writes it to the database after the answers, a bounded number of records per second. It must
// never delay or fail a request: what does not fit is dropped and counted. On a busy server the log of successes becomes a
// sample; errors, which developers look for, have a larger limit of their own.
import type { Answered } from '../http/server.ts'
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import type { Grouping } from '../lib/grouping.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { toDetail } from './detail.ts'
import { insertRequestLogs, type RequestLogRow } from './queries.ts'
import { redactPath } from './redact.ts'
import { createShares } from './shares.ts'

/** A developer sees a request in the log after a second. */
const FLUSH_INTERVAL_MS = 1_000
/**
 * A record costs about a tenth of what accepting an operation costs, and a kilobyte for seven days. Recording every success
 * would slow down a server at its limit, and fill 80 GB a day at a thousand requests per second.
 */
export const SUCCESSES_PER_FLUSH = 250
/** What may be recorded at once after a quiet time, such as the requests of a test suite. */
export const SUCCESSES_BURST = 2 * SUCCESSES_PER_FLUSH
/** More than successes, because whoever looks into a problem reads the errors. */
export const ERRORS_PER_FLUSH = 500
/** Longer than any path of the API; clients may send any path. */
const PATH_LENGTH_MAX = 500

export interface RequestLog {
  record(answered: Answered): void
  /** Returns how many records were dropped since the start. */
  dropped(): number
  /** Writes what is waiting. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Deps {
  db: Db
  clock: Clock
  log: Log
  /** Which records may share a statement. */
  grouping?: Grouping
}

export function createRequestLog({ db, clock, log, grouping = 'all' }: Deps): RequestLog {
  let waiting: RequestLogRow[] = []
  const successes = createShares(SUCCESSES_BURST)
  const errors = createShares(ERRORS_PER_FLUSH)
  let dropped = 0
  let isWriting = false
  let written = Promise.resolve()
  const writing = createFailureLog(log, 'Records of the request log could not be written and are lost.')

  const write = async () => {
    const batch = waiting
    waiting = []
    // Refilled only when a write begins, so that a slow database does not let records pile up.
    successes.refill(SUCCESSES_PER_FLUSH)
    errors.refill(ERRORS_PER_FLUSH)
    if (batch.length === 0) return
    for (const rows of grouping === 'citus' ? splitByCompany(batch) : [batch]) {
      const isWritten = await writing.run(() => insertRequestLogs(db, rows))
      if (!isWritten) dropped += rows.length
    }
  }
  const flush = () => {
    isWriting = true
    // Wait for the batch that is being written: it does not contain the records that came after it began.
    written = written.then(write).finally(() => (isWriting = false))
    return written
  }
  const timer = setInterval(() => {
    if (!isWriting) void flush()
  }, FLUSH_INTERVAL_MS)
  return {
    record(answered) {
      // What people do in the console is in the audit log; this log is for the developers of programs.
      const { by } = answered.caller
      if (!('keyId' in by)) return
      // Written as text now: it costs the same later, but would then delay many requests at once.
      const shares = answered.errorCode === null ? successes : errors
      if (shares.take(answered.caller.scope.companyId)) waiting.push(toRow(answered, by.keyId, clock.now()))
      else dropped += 1
    },
    dropped: () => dropped,
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function toRow(answered: Answered, keyId: string, at: Date): RequestLogRow {
  const { caller, url } = answered
  const end = url.indexOf('?')
  return {
    company_id: caller.scope.companyId,
    environment: caller.scope.environment,
    id: newId(at),
    key_id: keyId,
    status: answered.status,
    // Without the query, whose filters may name people.
    path: redactPath(end === -1 ? url : url.slice(0, end)).slice(0, PATH_LENGTH_MAX),
    detail: toDetail(answered),
  }
}

function splitByCompany(rows: readonly RequestLogRow[]): RequestLogRow[][] {
  const companies = new Map<string, RequestLogRow[]>()
  for (const row of rows) {
    const some = companies.get(row.company_id)
    if (some === undefined) companies.set(row.company_id, [row])
    else some.push(row)
  }
  return [...companies.values()]
}
