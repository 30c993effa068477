// The statements by which a process watches its database.
import { sql } from './sql.ts'

export const readClock = () => sql`select clock_timestamp() as now`

/** Writes and commits: it fails on a read-only database and where the write-ahead log cannot be written. */
export const writeHeartbeat = () => sql`update heartbeat set beat_at = clock_timestamp()`

/**
 * Sorts more than the session's work_mem holds, which writes a temporary file beside the data: it fails on a full disk.
 * The heartbeat alone would not notice one: it rewrites a page that is there already, in log segments that are there.
 * Rejected: inserting rows, which also reuses pages, and truncating a table each time, which grows the system catalogue.
 */
export const writeTemporaryFile = () => sql`
  select count(*) as rows from (select md5(n::text) as text from generate_series(1, 2000) as n order by 1 offset 0) as sorted`
