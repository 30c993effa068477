// `cardstock export`: what the server keeps for one company, in a file.
import { existsSync } from 'node:fs'
import type { Context } from '@cardstock/cli'
import type { Command } from 'commander'
import { readConfig } from '../../config/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { findId } from '../../lib/ids.ts'
import { readVersion } from '../version.ts'

export function registerExport(program: Command, { environ, output }: Context): void {
  program
    .command('export')
    .description('write what the server keeps for a company into a file; servers may run meanwhile')
    .argument('<company>', 'id of the company')
    .argument('<file>', 'file to write; it must not exist')
    .action(async (company: string, path: string) => {
      const config = readConfig(environ)
      const [{ withSharedDatabase }, { exportCompany }, { ExportError }] = await Promise.all([
        import('./database.ts'),
        import('../../export/export-company.ts'),
        import('../../export/error.ts'),
      ])
      const companyId = findId('co', company)
      if (companyId === undefined) throw new ExportError(`"${company}" is not the id of a company (co_…).`)
      if (existsSync(path)) throw new ExportError(`${path} exists already. Choose another name.`)
      const { note, result } = output()
      const more = { companyId, path, version: readVersion(), clock: systemClock, note }
      const counts = await withSharedDatabase(config, (connection) => exportCompany({ connection, ...more }))
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      result({ file: path, counts }, () => `${path}: ${total} objects`)
    })
}
