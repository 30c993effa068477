// `cardstock archive`: moves old entries of the ledger to files, which `cardstock verify` proves.
import { type Context, describeFileError, requireConfirmation, UsageError } from '@cardstock/cli'
import { DAY_MS, dayOf, findDay } from '@cardstock/sdk/statements'
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { AUDIT_TIMEOUT_MS } from '../../db/session-settings.ts'
import { systemClock } from '../../lib/clock.ts'

/** Longer than a statement can be, so that the statement of the last year is there for another month. */
const AGE_DAYS_MIN = 400

interface Options {
  before: string
  to: string
  yes?: boolean
}

export function registerArchive(program: Command, { environ, output }: Context): void {
  program
    .command('archive')
    .description('move old entries of the ledger to files and delete them from the database; servers may run meanwhile')
    .requiredOption('--before <date>', `first day (UTC) whose entries stay, at least ${AGE_DAYS_MIN} days ago`)
    .requiredOption('--to <folder>', 'folder for the files, the same for every run')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: Options) => {
      const { before, to } = options
      const config = readConfig(environ)
      const day = requireOldDay(before)
      const what = `Entries from before ${before} will be moved to files in ${to} and deleted from the database.`
      await requireConfirmation(what, options)
      const [{ withPool, withSharedDatabase }, { archiveEntries }, { readIsDistributed }] = await Promise.all([
        import('./database.ts'),
        import('../../archive/archive.ts'),
        import('../../db/citus/distribute.ts'),
      ])
      if (await withSharedDatabase(config, readIsDistributed))
        throw new UsageError('Entries cannot be archived on Citus yet. Nothing was changed.')
      const { note, result } = output()
      const more = { clock: systemClock, before: day, folder: to, note }
      const summary = await withPool(config, (db) => archiveEntries({ db, ...more }), AUDIT_TIMEOUT_MS).catch(
        explainFile(to),
      )
      const { files, entries, accounts } = summary
      result(
        { folder: to, ...summary },
        () =>
          `${to}: ${files === 1 ? '1 new file' : `${files} new files`} with ${entries} entries of ${accounts === 1 ? '1 account' : `${accounts} accounts`}`,
      )
    })
}

function requireOldDay(text: string): Date {
  const day = findDay(text)
  if (day === undefined) throw new UsageError('--before must be a date such as 2025-01-31.')
  const latest = new Date(systemClock.now().getTime() - AGE_DAYS_MIN * DAY_MS)
  if (day <= latest) return day
  throw new UsageError(
    `--before must be at least ${AGE_DAYS_MIN} days ago, because companies read the statements of the last year. ` +
      `The latest date is ${dayOf(latest)}.`,
  )
}

/** Errors of the folder or its files have a path. */
function explainFile(folder: string): (error: Error) => never {
  return (error) => {
    if (!('path' in error)) throw error
    throw new UsageError(`The folder ${folder} cannot be used: ${describeFileError(error)}.`)
  }
}
