// `cardstock admin reconcile`: compares our records with the live issuer's, lists every difference, and exits with 1 if there is one.
import type { Reconciliation } from '@cardstock/sdk'
import type { Command } from 'commander'
import { type Column, formatTable } from '../output.ts'
import type { Context } from '../context.ts'

/** All records of both sides are read. */
const TIMEOUT_MS = 600_000

const COLUMNS: readonly Column<Reconciliation['differences'][number]>[] = [
  { title: 'COMPANY', cell: (row) => row.companyId },
  { title: 'COMPANY NAME', isText: true, cell: (row) => row.companyName },
  { title: 'KIND', cell: (row) => row.kind },
  { title: 'ID', cell: (row) => row.id },
  { title: 'DIFFERENCE', cell: (row) => row.difference },
]

export function registerReconcile(program: Command, { connect, output, fail }: Context): void {
  program
    .command('reconcile')
    .description("compare the ledger with the live issuer's records and list differences")
    .action(async () => {
      const result = await connect().books.reconcile({ timeoutMs: TIMEOUT_MS, totalTimeoutMs: TIMEOUT_MS })
      const { companies, compared, differences } = result
      const summary = `${companies} companies, ${compared} records compared, ${differences.length} differences`
      output().result(result, () => [summary, formatTable(COLUMNS, differences, output())].join('\n').trimEnd())
      if (differences.length > 0) fail()
    })
}
