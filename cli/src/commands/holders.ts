// `cardstock holders …`: a company's cardholders, with its API key.
import {
  type Holder,
  HOLDER_KINDS,
  HOLDER_STATUSES,
  type HolderFilter,
  type HolderKind,
  NAME_SORTS,
  type NewHolder,
} from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { requireConfirmation } from '../confirm.ts'
import { limitOption, printList, sortOption, take } from '../list.ts'
import type { Column } from '../output.ts'
import { eraseWarning, printHolder } from './print-holder.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<Holder>[] = [
  { title: 'ID', cell: (holder) => holder.id },
  { title: 'KIND', cell: (holder) => holder.kind },
  { title: 'STATUS', cell: (holder) => holder.status },
  { title: 'EMAIL', isText: true, cell: (holder) => holder.email },
  { title: 'EXTERNAL ID', cell: (holder) => holder.externalId },
  { title: 'NAME', isText: true, cell: (holder) => holder.name },
]

export function registerHolders(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('holders').description("a company's cardholders, with its API key")
  group
    .command('create')
    .description('add a cardholder')
    .requiredOption('--name <name>', 'name of the holder')
    .requiredOption('--email <email>', 'e-mail address of the holder')
    .addOption(new Option('--kind <kind>', 'kind of holder').choices(HOLDER_KINDS).default('individual'))
    .option('--external-id <id>', 'your own id of the holder')
    .option('--idempotency-key <key>', 'repeat a request whose answer was lost; carried out at most once')
    .action(async ({ idempotencyKey, ...holder }: NewHolder & { kind: HolderKind; idempotencyKey?: string }) => {
      printHolder(output(), await connectCompany().api.holders.create(holder, { idempotencyKey }))
    })
  group
    .command('get')
    .alias('show')
    .description('show one cardholder')
    .argument('<id>', 'id of the holder')
    .action(async (id: string) => printHolder(output(), await connectCompany().api.holders.get(id)))
  group
    .command('erase')
    .description('erase the personal data of a cardholder for good; its cards must be closed')
    .argument('<id>', 'id of the holder')
    .option('--yes', 'do not ask for confirmation')
    .action(async (id: string, options: { yes?: boolean }) => {
      await requireConfirmation(eraseWarning(id), options)
      printHolder(output(), await connectCompany().api.holders.erase(id))
    })
  group
    .command('list')
    .description('list cardholders')
    .addOption(new Option('--status <status>', 'only those with this status').choices(HOLDER_STATUSES))
    .addOption(new Option('--kind <kind>', 'only this kind').choices(HOLDER_KINDS))
    .option('--external-id <id>', 'show only the holder with this id of yours')
    .option('--email <email>', 'only those with this e-mail address')
    .addOption(sortOption(NAME_SORTS))
    .addOption(limitOption())
    .action(async ({ limit, ...filter }: HolderFilter & { limit: number }) => {
      const { holders } = connectCompany().api
      printList(output(), await take((query) => holders.list({ ...filter, ...query }), limit), COLUMNS)
    })
}
