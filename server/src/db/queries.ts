// The statements by which a process watches its database.
import { sql } from './sql.ts'

export const readClock = () => sql`select clock_timestamp() as now`

/** Writes and commits: it fails on a read-only database and where the write-ahead log cannot be written. */
export const writeHeartbeat = () => sql`update heartbeat set beat_at = clock_timestamp()`

/** Fails on a full disk, which the heartbeat does not notice. */
export const writeTemporaryFile = () => sql`select write_temporary_file() as rows`

/** Of other users' connections a role may see only that they exist. Autovacuum and parallel workers are not connections. */
export const countConnections = () => sql`
  select (select count(*)::int from pg_stat_activity
          where datid is not null and coalesce(backend_type, 'client backend') = 'client backend') as used,
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as available`
