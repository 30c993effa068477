// `cardstock admin audit-log`: lists who did what, the newest first.
import type { AuditEntry } from '@cardstock/sdk'
import type { Command } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import type { Column } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'TIME', cell: (entry) => entry.createdAt },
  { title: 'ACTOR', cell: (entry) => entry.actor },
  { title: 'ACTOR ID', cell: (entry) => entry.actorId },
  { title: 'FROM', cell: (entry) => entry.address },
  { title: 'ACTION', cell: (entry) => entry.action },
  { title: 'COMPANY', cell: (entry) => entry.companyId },
  { title: 'COMPANY NAME', isText: true, cell: (entry) => entry.companyName },
  { title: 'OBJECT', cell: (entry) => entry.object },
  { title: 'OBJECT NAME', isText: true, cell: (entry) => entry.objectName },
  { title: 'DETAILS', isText: true, cell: (entry) => JSON.stringify(entry.details) },
]

interface Options {
  company?: string
  object?: string
  actor?: string
  limit: number
}

export function registerAuditLog(program: Command, { connect, output }: Context): void {
  program
    .command('audit-log')
    .description('show who did what, when and from where')
    .option('--company <id>', 'show only records of this company')
    .option('--object <id>', 'show only what was done to this object')
    .option('--actor <id>', 'show only what this person, key or operator token did')
    .addOption(limitOption())
    .action(async ({ company, object, actor, limit }: Options) => {
      const { auditLog } = connect()
      const filter = { companyId: company, object, actorId: actor }
      printList(output(), await take((query) => auditLog.list({ ...filter, ...query }), limit), COLUMNS)
    })
}
