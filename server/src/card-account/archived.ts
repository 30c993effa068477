// Refuses a range of time that has archived entries: an answer without them would look complete.
import { DAY_MS, dayOf } from '@cardstock/sdk/statements'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Scope } from '../lib/scope.ts'
import { findArchivedUntil } from './queries.ts'

/** `param` is what the range begins with. Call it after reading the entries from `from` on, so that none of them can have been archived before they were read. */
export async function requireUnarchived(db: Db, scope: Scope, from: Date, param = 'from'): Promise<void> {
  const archived = await findArchivedUntil(db, scope)
  if (archived === undefined || from > archived.last_at) return
  // A day is available only if none of its entries is archived.
  const availableFrom = dayOf(new Date(archived.last_at.getTime() + DAY_MS))
  throw new ApiError(
    'entries_archived',
    `Entries before ${availableFrom} are archived. Choose a range from ${availableFrom} on, or ask the operator for the archive.`,
    { param, details: { availableFrom } },
  )
}
