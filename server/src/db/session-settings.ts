// What every session of ours is opened with. A pooler does not pass start parameters on, so there they are stored as the
// defaults of our role in this database, which each new session of the pooler gets.
import type pg from 'pg'

/** No statement of ours takes seconds; one that does holds locks that others wait for. */
export const STATEMENT_TIMEOUT_MS = 15_000
/** The audit of one account is an exception: ten million entries are read and hashed within this. */
export const AUDIT_TIMEOUT_MS = 600_000

const settings = (statementTimeoutMs: number) => ({
  // Our statements are short, and compiling one costs more than running it (measured: 0.8 s against 1 ms).
  jit: 'off',
  statement_timeout: String(statementTimeoutMs),
  TimeZone: 'UTC',
})

/** Returns the settings as start parameters. */
export function toStartOptions(statementTimeoutMs: number): string {
  return Object.entries(settings(statementTimeoutMs))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Every role may change its own defaults. Call it while other processes that start wait: PostgreSQL refuses two at once. */
export async function storeForRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ setconfig: string[] }>(`
    select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
    where d.datname = current_database() and s.setrole = current_user::regrole`)
  const stored = new Set(rows.flatMap((row) => row.setconfig))
  const missing = Object.entries(settings(STATEMENT_TIMEOUT_MS)).filter(
    ([name, value]) => !stored.has(`${name}=${value}`),
  )
  if (missing.length === 0) return
  const { rows: databases } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  for (const [name, value] of missing) {
    await client.query(`alter role current_user in database ${databases[0]?.name} set ${name} = '${value}'`)
  }
}
