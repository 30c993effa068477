// The settings PostgreSQL is started with. They are given on its command line, so that postgresql.conf stays as initdb
// made it and an old folder gets today's settings.

/** Sized for two cores and a small machine; an operator with more runs a PostgreSQL of their own. */
const ALWAYS = {
  shared_buffers: '128MB',
  max_connections: '100',
  // Spreads checkpoints out under load; recovery after a crash stays in the order of seconds.
  max_wal_size: '2GB',
  // The default of PostgreSQL, which initdb lowers with the size of a segment.
  min_wal_size: '80MB',
  // Compiling costs more than our short statements take.
  jit: 'off',
  // `minimal` would save little and forbid an online backup (pg_basebackup).
  wal_level: 'replica',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // We own stderr and bound its size; see log-file.ts.
  log_destination: 'stderr',
  logging_collector: 'off',
}

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

/** Tests only: a power cut may destroy the data. */
const FLEETING = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Later groups win over earlier ones. */
export function settingArguments(durable: boolean, ...more: Record<string, string>[]): string[] {
  const all: Record<string, string>[] = [ALWAYS, durable ? DURABLE : FLEETING, ...more]
  const settings = new Map(all.flatMap((group) => Object.entries(group)))
  return [...settings].flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
