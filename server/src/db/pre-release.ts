// Databases and backups of the pre-releases, whose 32 migrations the baseline of the schema has replaced. The last pre-release left the
// schema of the baseline, so its databases are adopted as they are. Older ones are refused: the last pre-release migrates them.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { MigrationError } from './migration-error.ts'
import { type AppliedFile, MIGRATIONS } from './sql-files.ts'

/** Every pre-release had the first migration. The baseline has no file of this name. */
const FIRST = 'migrations/0001_access.sql'
const LAST = 'migrations/0032_issuer_requests.sql'
const COUNT = 32

/** The pre-releases accepted several texts of the first migrations, which differ only in their comments. */
const WITH_SEVERAL_TEXTS = 7
/** SHA-256 of the names and checksums of the others, one line each. */
const FINGERPRINT = 'a8b4cf86b2445a6a614877603f71ee0bb830cb265785a76048fedbb8f7c33b07'

/** last: what the baseline has. older: without the last migration. changed: with other migrations, or other texts of them. */
export type PreRelease = 'last' | 'older' | 'changed'

/** What to say about a database that is not adopted. */
export const PRE_RELEASE_REFUSALS: Readonly<Record<Exclude<PreRelease, 'last'>, string>> = {
  older:
    'This database was made by a pre-release and does not have the last migration before 1.0. Start the last version before 1.0, which migrates it, and then this version. Nothing was changed.',
  changed:
    'This database has migrations that no pre-release had, or other texts of them, so this version cannot use it. Continue with the version that made it. Nothing was changed.',
}

/** Returns which pre-release has applied these migrations, by their names; undefined if none has. */
export function findPreReleaseByNames(names: readonly string[]): PreRelease | undefined {
  const migrations = names.filter((name) => name.startsWith(MIGRATIONS))
  if (!migrations.includes(FIRST)) return undefined
  if (!migrations.includes(LAST)) return 'older'
  return migrations.length === COUNT ? 'last' : 'changed'
}

/** Like findPreReleaseByNames, and also compares the texts. */
export function findPreRelease(rows: readonly AppliedFile[]): PreRelease | undefined {
  const found = findPreReleaseByNames(rows.map((row) => row.name))
  return found === 'last' && fingerprint(rows) !== FINGERPRINT ? 'changed' : found
}

function fingerprint(rows: readonly AppliedFile[]): string {
  const lines = rows
    .filter(({ name }) => name.startsWith(MIGRATIONS))
    .map(({ name, checksum }) => `${name} ${checksum}\n`)
    .toSorted()
  return createHash('sha256').update(lines.slice(WITH_SEVERAL_TEXTS).join('')).digest('hex')
}

/**
 * Makes the schema of the last pre-release that of the baseline, in the caller's transaction. The caller then records the baseline.
 * Processes of the last pre-release can go on meanwhile. Refuses the databases of other pre-releases.
 */
export async function adoptPreRelease(client: pg.Client, found: PreRelease): Promise<void> {
  if (found !== 'last') throw new MigrationError(PRE_RELEASE_REFUSALS[found])
  // The only difference. Every record fulfils it, so it only reads them: a million in about a second, while others can write.
  await client.query('alter table audit_log validate constraint audit_log_actor_known')
  await client.query('delete from schema_file where starts_with(name, $1)', [MIGRATIONS])
}
