// Funds the card account: asks for an invoice, shows how to pay it, and waits until it is paid.
import { Cardstock } from '@cardstock/sdk'

const cardstock = new Cardstock()

const invoice = await cardstock.invoices.create({ amount: '100' })
console.log(`Transfer exactly ${invoice.payAmount} ${invoice.asset} to ${invoice.address} on ${invoice.network}.`)
console.log(`Or send the payer this page: ${invoice.payUrl}`)

// In the sandbox nobody pays. This stands in for the transfer.
await cardstock.sandbox.completeInvoice(invoice.id)

let paid = await cardstock.invoices.get(invoice.id)
while (paid.status === 'pending' || paid.status === 'creating') {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  paid = await cardstock.invoices.get(invoice.id)
}
console.log(`Invoice ${paid.id} is ${paid.status}: ${paid.depositAmount} less ${paid.fee} is ${paid.creditAmount}.`)
console.log(`The card account has ${(await cardstock.balance.get()).available}.`)
