// The statements by which a process watches its database.
import { sql } from './sql.ts'

export const readClock = () => sql`select clock_timestamp() as now`

/** Writes and commits: it fails on a read-only database and where the write-ahead log cannot be written. */
export const writeHeartbeat = () => sql`update heartbeat set beat_at = clock_timestamp()`

/** Fails on a full disk, which the heartbeat does not notice. */
export const writeTemporaryFile = () => sql`select write_temporary_file() as rows`
