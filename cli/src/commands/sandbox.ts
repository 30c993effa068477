// `cardstock sandbox …`: what only the sandbox can do, such as credit funds. The server refuses these calls for a live key.
import { type Command, Argument } from 'commander'
import type { SandboxResolution } from '@cardstock/sdk'
import { formatFields } from '../output.ts'
import type { Context } from '../context.ts'

const OUTCOMES: readonly SandboxResolution['outcome'][] = ['completed', 'failed', 'expired']

export function registerSandbox(program: Command, context: Context): void {
  const group = program.command('sandbox').description('credit funds, pay invoices and decide reviews in the sandbox')
  registerFund(group, context)
  registerPay(group, context)
  registerDecide(group, context)
}

function registerFund(group: Command, { connectCompany, output }: Context): void {
  group
    .command('fund')
    .description('credit funds to the sandbox card account, without a fee')
    .argument('<amount>', 'amount in USD, such as 100.00')
    .option('--idempotency-key <key>', 'repeat a request whose answer was lost; carried out at most once')
    .action(async (amount: string, { idempotencyKey }: { idempotencyKey?: string }) => {
      await connectCompany().api.sandbox.fund({ amount }, { idempotencyKey })
      output().result({ amount }, () => `${amount} USD is credited to the sandbox card account.`)
    })
}

function registerPay(group: Command, { connectCompany, output }: Context): void {
  group
    .command('pay')
    .description('simulate the payment of an invoice')
    .argument('<invoice>', 'id of the invoice')
    .option('--amount <usdt>', 'pay this much, also too little, too late or again (default: exactly, and once)')
    .action(async (id: string, { amount }: { amount?: string }) => {
      const { sandbox } = connectCompany().api
      const invoice = await (amount === undefined ? sandbox.completeInvoice(id) : sandbox.payInvoice(id, { amount }))
      const { status, creditAmount, receivedAmount, reasons } = invoice
      output().result(invoice, () =>
        formatFields({ id, status, received: receivedAmount, credit: creditAmount, reasons }),
      )
    })
}

function registerDecide(group: Command, { connectCompany, output }: Context): void {
  group
    .command('decide')
    .description('decide what is in manual review, as an operator does in live')
    .argument('<id>', 'id of the operation, the invoice, the change of a card or the payment')
    .addArgument(new Argument('<outcome>', 'how it ended').choices(OUTCOMES))
    .option('--received-amount <amount>', 'what was really received for an invoice, or returned by a closed card')
    .action(async (id: string, outcome: SandboxResolution['outcome'], options: { receivedAmount?: string }) => {
      const decided = await connectCompany().api.sandbox.resolveReview(id, { outcome, ...options })
      output().result(decided, () => formatFields({ id, status: decided.status }))
    })
}
