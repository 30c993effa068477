// The part of `cardstock verify` for archives, with the database or without it.
import { statSync } from 'node:fs'
import { type Context, UsageError } from '@cardstock/cli'
import { listArchiveFiles, type Verdict, verifyFiles } from '../../archive/verify.ts'
import { readConfig } from '../../config/config.ts'
import type { Db } from '../../db/pool.ts'
import { AUDIT_TIMEOUT_MS } from '../../db/session-settings.ts'

export async function verifyArchive(
  paths: readonly string[],
  { database = false }: { database?: boolean },
  { environ, output, fail }: Context,
): Promise<void> {
  const files = listArchiveFiles(paths)
  // Without a folder, nobody said that these are all files there are.
  const isWhole = paths.some((path) => statSync(path).isDirectory())
  if (files.length === 0 && !database) throw new UsageError(`There is no file of an archive in ${paths.join(', ')}.`)
  const verify = (db?: Db) => verifyFiles(files, { db, isWhole })
  const verdict = database ? await withDatabase(verify) : await verify()
  const valid = verdict.problems.length === 0
  output().result({ valid, ...verdict }, () => describe(paths.join(', '), verdict, database))
  if (!valid) fail()

  async function withDatabase(use: (db: Db) => Promise<Verdict>): Promise<Verdict> {
    const { withPool } = await import('./database.ts')
    return withPool(readConfig(environ), use, AUDIT_TIMEOUT_MS)
  }
}

function describe(what: string, { files, accounts, entries, problems }: Verdict, database: boolean): string {
  if (problems.length > 0)
    return [`${what}: not as it was written`, ...problems.map(({ where, problem }) => `  ${where}: ${problem}`)].join(
      '\n',
    )
  const counts = `${files === 1 ? '1 file' : `${files} files`}, ${entries} entries, ${accounts === 1 ? '1 account' : `${accounts} accounts`}`
  return database
    ? `${what}: ${counts}. All figures and hash chains agree, and the database continues them.`
    : `${what}: ${counts}. All figures and hash chains agree. With --database, they are also compared with the database.`
}
