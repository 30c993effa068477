// Issues a virtual card to a new holder and shows what it cost.
import { Cardstock } from '@cardstock/sdk'

const cardstock = new Cardstock() // CARDSTOCK_API_KEY and CARDSTOCK_URL

// The sandbox has no real money: credit the card account first.
await cardstock.sandbox.fund({ amount: '100.00' })

const holder = await cardstock.holders.create({ name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' })
console.log(`Holder ${holder.id} is ${holder.status}.`)

const order = { type: 'issue', productId: 'prod_card_virtual', holderId: holder.id, amount: '25.00' } as const
const quote = await cardstock.quotes.create(order)
console.log(`A card with ${quote.amount} costs ${quote.total}, of which ${quote.fee} is the fee.`)

// expectedTotal makes sure that the price is still the quoted one.
const { id } = await cardstock.operations.create({ ...order, expectedTotal: quote.total })
const operation = await cardstock.operations.waitFor(id)
console.log(`Operation ${operation.id} is ${operation.status}.`)

if (operation.status === 'completed' && operation.result.cardId !== undefined) {
  const card = await cardstock.cards.get(operation.result.cardId)
  console.log(`Card ${card.id} ends in ${card.last4}, is ${card.status} and holds ${card.balance}.`)
} else {
  // manual_review: an operator decides, and the funds stay held until then. failed: the funds are back.
  console.log(operation.failure?.message ?? 'The outcome is not known yet.')
}
const balance = await cardstock.balance.get()
console.log(`Left on the card account: ${balance.available}.`)
