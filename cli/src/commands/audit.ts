// `cardstock admin audit`: checks the ledger, lists every difference, and exits with 1 if there is one.
import type { LedgerAudit } from '@cardstock/sdk'
import type { Command } from 'commander'
import { type Column, formatTable } from '../output.ts'
import type { Context } from '../context.ts'

/** As long as the server allows for the audit of one account. */
const AUDIT_TIMEOUT_MS = 600_000

const COLUMNS: readonly Column<LedgerAudit['differences'][number]>[] = [
  { title: 'COMPANY', cell: (row) => row.companyId },
  { title: 'COMPANY NAME', isText: true, cell: (row) => row.companyName },
  { title: 'ENVIRONMENT', cell: (row) => row.environment },
  { title: 'DIFFERENCE', cell: (row) => row.difference },
]

export function registerAudit(program: Command, { connect, output, fail }: Context): void {
  program
    .command('audit')
    .description('recompute every balance from its entries and list differences')
    .action(async () => {
      const audit = await connect().books.audit({ timeoutMs: AUDIT_TIMEOUT_MS, totalTimeoutMs: AUDIT_TIMEOUT_MS })
      const { accounts, entries, differences } = audit
      const summary = `${accounts} accounts, ${entries} entries, ${differences.length} differences`
      output().result(audit, () => [summary, formatTable(COLUMNS, differences, output())].join('\n').trimEnd())
      if (differences.length > 0) fail()
    })
}
