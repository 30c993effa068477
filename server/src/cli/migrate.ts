// `cardstock migrate`: brings the database to this version's schema, without starting the server.
import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Context } from './program.ts'

export function registerMigrate(program: Command, { environ, output }: Context): void {
  program
    .command('migrate')
    .description('migrate the database to the current schema; stop the server first if the database is private')
    .action(async () => {
      const config = readConfig(environ)
      const [{ withDatabase }, { migrate }] = await Promise.all([import('./database.ts'), import('../db/migrate.ts')])
      const applied = await withDatabase(config, migrate)
      output().result({ applied }, () =>
        applied.length === 0 ? 'The schema is current.' : applied.map((name) => `applied ${name}`).join('\n'),
      )
    })
}
