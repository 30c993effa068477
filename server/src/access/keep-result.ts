// Keeps the result of a check in the audit log. A check only reads, so its result is shown even if it cannot be kept.
import type { Db } from '../db/pool.ts'
import { withDeadline } from '../lib/deadline.ts'
import type { Log } from '../lib/log.ts'
import type { AuditRecord } from './audit.ts'
import { insertAudit } from './queries.ts'

/** A person waits for the result, and a database that does not write may not keep it from them. */
const KEEP_MS_MAX = 5_000

export async function keepResult(db: Db, record: AuditRecord, log: Log): Promise<void> {
  try {
    await withDeadline(insertAudit(db, record), KEEP_MS_MAX)
  } catch (error) {
    log.warn({ error, action: record.action }, 'The result of a check could not be written to the audit log.')
  }
}
