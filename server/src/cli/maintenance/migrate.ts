// `cardstock migrate`: brings the database to this version's schema, without starting the server.
import { type Context, UsageError } from '@cardstock/cli'
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'

export function registerMigrate(program: Command, { environ, output }: Context): void {
  program
    .command('migrate')
    .description('migrate the database to the current schema; stop the server first if the database is private')
    .option('--citus', 'distribute the tables over the nodes of Citus; DATABASE_URL names the coordinator')
    .action(async ({ citus = false }: { citus?: boolean }) => {
      const config = readConfig(environ)
      if (citus && config.secrets.databaseUrl === undefined) {
        throw new UsageError(
          'The private database cannot be distributed. Set DATABASE_URL to the coordinator of Citus.',
        )
      }
      const [{ withDatabase }, { migrate }] = await Promise.all([
        import('./database.ts'),
        import('../../db/migrate.ts'),
      ])
      const applied = await withDatabase(config, (connection) => migrate(connection, { citus }))
      output().result({ applied }, () =>
        applied.length === 0 ? 'The schema is current.' : applied.map((name) => `applied ${name}`).join('\n'),
      )
    })
}
