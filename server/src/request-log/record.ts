// Collects what companies ask and writes it to the database after the answers, a bounded number of records per second. It must
// never delay or fail a request: what does not fit is dropped and counted.
import type { Answered } from '../http/server.ts'
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { insertRequestLogs, type NewRequestLogRow } from './queries.ts'
import { redactBody } from './redact.ts'

/** At most a thousand records per second: more would compete with the requests for the database. */
const FLUSH_INTERVAL_MS = 500
const FLUSH_MAX = 500
/** Records that may wait to be written: the requests of a burst of two seconds. */
const WAITING_MAX = 2_000
const PATH_LENGTH_MAX = 500

export interface RequestLog {
  record(answered: Answered): void
  /** Returns how many records were dropped since the start. */
  dropped(): number
  /** Writes what is waiting, up to the size of a batch. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  readonly answered: Answered
  readonly keyId: string
  readonly at: Date
}

export function createRequestLog({ db, clock, log }: { db: Db; clock: Clock; log: Log }): RequestLog {
  let waiting: Waiting[] = []
  let dropped = 0
  let isWriting = false
  let written = Promise.resolve()
  const writing = createFailureLog(log, 'Records of the request log could not be written and are lost.')

  const write = async () => {
    const batch = waiting.slice(0, FLUSH_MAX)
    waiting = waiting.slice(FLUSH_MAX)
    if (batch.length === 0) return
    const isWritten = await writing.run(() => insertRequestLogs(db, batch.map(toRow)))
    if (!isWritten) dropped += batch.length
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
      if (waiting.length >= WAITING_MAX) dropped += 1
      else waiting.push({ answered, keyId: by.keyId, at: clock.now() })
    },
    dropped: () => dropped,
    flush,
    async close() {
      clearInterval(timer)
      await written
      while (waiting.length > 0) await write()
    },
  }
}

function toRow({ answered, keyId, at }: Waiting): NewRequestLogRow {
  const { caller, url } = answered
  const end = url.indexOf('?')
  return {
    company_id: caller.scope.companyId,
    environment: caller.scope.environment,
    id: newId(at),
    key_id: keyId,
    method: answered.method,
    // Without the query, whose filters may name people.
    path: (end === -1 ? url : url.slice(0, end)).slice(0, PATH_LENGTH_MAX),
    status: answered.status,
    duration_ms: Math.round(answered.durationMs),
    request_id: answered.requestId,
    address: answered.address,
    error_code: answered.errorCode,
    request_body: redactBody(answered.requestBody),
    response_body: redactBody(answered.responseBody),
    created_at: at,
  }
}
