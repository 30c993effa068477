// The folders where a system keeps its PostgreSQL programs, best first. Only lists; whether they run is found out elsewhere.

import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { run } from './run.ts'

/** `pg_config` prints one line. */
const PG_CONFIG_MS_MAX = 10_000

/** Folders whose children are versions: Debian, Homebrew on both kinds of Mac, Postgres.app, Windows. */
const VERSION_FOLDERS = [
  { parent: '/usr/lib/postgresql', pattern: /^\d+$/ },
  { parent: '/opt/homebrew/opt', pattern: /^postgresql(@\d+)?$/ },
  { parent: '/usr/local/opt', pattern: /^postgresql(@\d+)?$/ },
  { parent: '/Applications/Postgres.app/Contents/Versions', pattern: /^\d+$/ },
  { parent: 'C:\\Program Files\\PostgreSQL', pattern: /^\d+$/ },
]

/** Where the Red Hat family and a build from source put theirs; usually not in PATH. */
const PLAIN_FOLDERS = ['/usr/pgsql/bin', '/usr/local/pgsql/bin']

export async function findSystemFolders(): Promise<string[]> {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const config = await run('pg_config', ['--bindir'], { account: undefined, timeoutMs: PG_CONFIG_MS_MAX })
  const versions = await Promise.all(VERSION_FOLDERS.map(findVersions))
  const folders = [...path, ...(config.code === 0 ? [config.output.trim()] : []), ...versions.flat(), ...PLAIN_FOLDERS]
  return [...new Set(folders)].filter((folder) =>
    ['postgres', 'postgres.exe'].some((name) => existsSync(join(folder, name))),
  )
}

/** The newest first, by number and not by letter. */
async function findVersions({ parent, pattern }: { parent: string; pattern: RegExp }): Promise<string[]> {
  const names = await readdir(parent).catch(() => [])
  return names
    .filter((name) => pattern.test(name))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(parent, name, 'bin'))
}
