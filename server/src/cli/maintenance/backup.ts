// `cardstock backup`, `backup-key` and `restore`: one encrypted file with everything that the database has, and its keys.
import { type Context, UsageError } from '@cardstock/cli'
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { readVersion } from '../version.ts'

export function registerBackup(program: Command, { environ, output }: Context): void {
  const collect = (recipient: string, former: readonly string[] = []) => [...former, recipient]
  program
    .command('backup')
    .description('write an encrypted backup of the database into a file; servers may run meanwhile')
    .argument('<file>', 'file to write; it must not exist')
    .option('--recipient <age1…>', 'who can decrypt it; may be repeated; BACKUP_RECIPIENT if not given', collect)
    .action(async (path: string, { recipient }: { recipient?: readonly string[] }) => {
      const config = readConfig(environ)
      const given = recipient ?? config.backup.recipients
      if (given.length === 0) throw new UsageError('Give --recipient, or set BACKUP_RECIPIENT. See docs/backup.md.')
      const [{ withSharedDatabase }, { backUp }, { requireRecipients }, { formatBytes }] = await Promise.all([
        import('./database.ts'),
        import('../../backup/back-up.ts'),
        import('../../backup/keys.ts'),
        import('../../backup/progress.ts'),
      ])
      const { note, result } = output()
      const more = { path, recipients: requireRecipients(given), version: readVersion(), clock: systemClock, note }
      const summary = await withSharedDatabase(config, (connection) => backUp({ connection, ...more }))
      const { tables, rows, bytes } = summary
      result({ file: path, ...summary }, () => `${path}: ${tables} tables, ${rows} rows, ${formatBytes(bytes)}`)
    })
}

export function registerBackupKey(program: Command, { output }: Context): void {
  program
    .command('backup-key')
    .description('the keys of backups')
    .command('generate')
    .description(
      'write a new identity into a file, which decrypts backups, and print its recipient, which encrypts them',
    )
    .argument('<file>', 'file to write; it must not exist')
    .action(async (path: string) => {
      const { generateIdentityFile } = await import('../../backup/keys.ts')
      const recipient = await generateIdentityFile(path, systemClock)
      const { note, result } = output()
      result({ file: path, recipient }, () => recipient)
      note(`Set BACKUP_RECIPIENT to it. Keep ${path} away from this machine: whoever has it can read the backups.`)
    })
}

export function registerRestore(program: Command, { environ, output, fail }: Context): void {
  program
    .command('restore')
    .description('restore a backup into an empty database, and audit the ledger')
    .argument('<file>', 'file that cardstock backup has written')
    .requiredOption('--identity-file <file>', 'file with the identity of a recipient of the backup')
    .action(async (path: string, { identityFile }: { identityFile: string }) => {
      const config = readConfig(environ)
      const [{ withDatabase }, { restore, verifyBackup }, { readIdentityFile }] = await Promise.all([
        import('./database.ts'),
        import('../../backup/restore.ts'),
        import('../../backup/keys.ts'),
      ])
      const { note, result } = output()
      const options = { path, identities: readIdentityFile(identityFile), config, clock: systemClock, note }
      const verified = await verifyBackup(options)
      const summary = await withDatabase(config, (connection) => restore(connection, verified, options))
      const { createdAt, tables, rows, audit, ended, valid } = summary
      const books = `${audit.accounts} accounts, ${audit.entries} entries, ${audit.differences.length} differences`
      result(summary, () => `Restored the state of ${createdAt}: ${tables} tables, ${rows} rows\n${books}`)
      note(
        `Ended ${ended.sessions} sessions and ${ended.links} one-time links: everybody signs in again, with the password of that time.`,
      )
      note(
        `${valid.keys} API keys and ${valid.operatorTokens} operator tokens work, also those that were revoked or rotated since then. Compare them with your records and revoke what had ended: cardstock admin operator-token list, and cardstock admin key list COMPANY for each company.`,
      )
      if (audit.differences.length > 0) fail()
    })
}
