// `cardstock backup` and `cardstock restore`: one encrypted file with everything that the database has.
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Context } from '../context.ts'
import { readVersion } from '../version.ts'

const KEY_FILE = ['--key-file <file>', 'file with the passphrase of the archive, at least 16 characters'] as const

export function registerBackup(program: Command, { environ, output }: Context): void {
  program
    .command('backup')
    .description('write an encrypted backup of the database into a file; servers may run meanwhile')
    .argument('<file>', 'file to write; it must not exist')
    .requiredOption(...KEY_FILE)
    .action(async (path: string, { keyFile }: { keyFile: string }) => {
      const config = readConfig(environ)
      const [{ withSharedDatabase }, { backUp }, { readKeyFile }, { formatBytes }] = await Promise.all([
        import('./database.ts'),
        import('../../backup/back-up.ts'),
        import('../../backup/archive.ts'),
        import('../../backup/progress.ts'),
      ])
      const { note, result } = output()
      const more = { path, passphrase: readKeyFile(keyFile), version: readVersion(), clock: systemClock, note }
      const summary = await withSharedDatabase(config, (connection) => backUp({ connection, ...more }))
      const { tables, rows, bytes } = summary
      result({ file: path, ...summary }, () => `${path}: ${tables} tables, ${rows} rows, ${formatBytes(bytes)}`)
    })
}

export function registerRestore(program: Command, { environ, output, fail }: Context): void {
  program
    .command('restore')
    .description('restore a backup into an empty database, and audit the ledger')
    .argument('<file>', 'file that cardstock backup has written')
    .requiredOption(...KEY_FILE)
    .action(async (path: string, { keyFile }: { keyFile: string }) => {
      const config = readConfig(environ)
      const [{ withDatabase }, { restore, verifyArchive }, { readKeyFile }] = await Promise.all([
        import('./database.ts'),
        import('../../backup/restore.ts'),
        import('../../backup/archive.ts'),
      ])
      const { note, result } = output()
      const options = { path, passphrase: readKeyFile(keyFile), config, clock: systemClock, note }
      const verified = await verifyArchive(options)
      const summary = await withDatabase(config, (connection) => restore(connection, verified, options))
      const { createdAt, tables, rows, audit, ended, valid } = summary
      const books = `${audit.accounts} accounts, ${audit.entries} entries, ${audit.differences.length} differences`
      result(summary, () => `Restored the state of ${createdAt}: ${tables} tables, ${rows} rows\n${books}`)
      note(
        `Ended ${ended.sessions} sessions and ${ended.links} one-time links: everybody signs in again, with the password of that time.`,
      )
      note(
        `${valid.keys} API keys and ${valid.operatorTokens} operator tokens work, also those that were revoked or rotated since then. Compare them with your records and revoke what had ended: cardstock operator-token list, and cardstock key list COMPANY for each company.`,
      )
      if (audit.differences.length > 0) fail()
    })
}
