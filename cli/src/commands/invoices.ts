// `cardstock invoices …`: funding the card account in USDT, with a QR code of the address in the terminal.
import { type FundingInvoice, INVOICE_STATUSES, type InvoiceStatus, type Sort } from '@cardstock/sdk'
import { type Command, Option } from 'commander'
import { renderUnicodeCompact } from 'uqr'
import { limitOption, printList, sortOption, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<FundingInvoice>[] = [
  { title: 'ID', cell: (invoice) => invoice.id },
  { title: 'STATUS', cell: (invoice) => invoice.status },
  { title: 'DEPOSIT', cell: (invoice) => invoice.depositAmount },
  { title: 'FEE', cell: (invoice) => invoice.fee },
  { title: 'CREDIT', cell: (invoice) => invoice.creditAmount },
  { title: 'EXPIRES', cell: (invoice) => invoice.expiresAt },
  { title: 'CREATED', cell: (invoice) => invoice.createdAt },
]

export function registerInvoices(program: Command, { connectCompany, output }: Context): void {
  const group = program.command('invoices').description('fund the card account in USDT')
  group
    .command('create')
    .description('create an invoice, and show where to pay it')
    .requiredOption('--amount <usd>', 'whole US dollars, such as 100')
    .option('--idempotency-key <key>', 'repeat a request whose answer was lost; carried out at most once')
    .action(async ({ amount, idempotencyKey }: { amount: string; idempotencyKey?: string }) => {
      print(output(), await connectCompany().api.invoices.create({ amount }, { idempotencyKey }))
    })
  group
    .command('show')
    .alias('get')
    .description('show one invoice')
    .argument('<id>', 'id of the invoice')
    .action(async (id: string) => print(output(), await connectCompany().api.invoices.get(id)))
  group
    .command('list')
    .description('list invoices')
    .addOption(new Option('--status <status>', 'only those with this status').choices(INVOICE_STATUSES))
    .addOption(sortOption())
    .addOption(limitOption())
    .action(async ({ limit, ...filter }: { status?: InvoiceStatus; sort: Sort; limit: number }) => {
      const { invoices } = connectCompany().api
      printList(output(), await take((query) => invoices.list({ ...filter, ...query }), limit), COLUMNS)
    })
}

function print(output: Output, invoice: FundingInvoice): void {
  output.result(invoice, () => {
    const fields = formatFields({
      id: invoice.id,
      status: invoice.status,
      deposit: invoice.depositAmount,
      fee: invoice.fee,
      credit: invoice.creditAmount,
      'pay exactly': invoice.payAmount === null ? null : `${invoice.payAmount} ${invoice.asset} on ${invoice.network}`,
      address: invoice.address,
      'page to pay': invoice.payUrl,
      expires: invoice.expiresAt,
      reasons: invoice.reasons,
      received: invoice.receivedAmount,
    })
    const isPayable = invoice.status === 'pending' && invoice.address !== null
    return isPayable ? `${fields}\n\n${renderUnicodeCompact(invoice.address ?? '')}` : fields
  })
  if (invoice.status === 'pending')
    output.note('Transfer the exact amount, to the last decimal: it identifies the payment.')
}
