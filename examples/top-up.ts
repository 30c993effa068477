// Tops up every active card that holds less than a minimum, exactly to that minimum or by the smallest allowed amount.
import { amounts, BadRequestError, Cardstock } from '@cardstock/sdk'

const MINIMUM = '40.00'
const SMALLEST_TOPUP = '10.00'
const cardstock = new Cardstock()

for await (const card of cardstock.cards.list({ status: 'active' })) {
  if (amounts.compare(card.balance, MINIMUM) >= 0) continue
  const missing = amounts.subtract(MINIMUM, card.balance)
  const amount = amounts.compare(missing, SMALLEST_TOPUP) < 0 ? SMALLEST_TOPUP : missing
  try {
    // The key names the card and the day, so that running this twice on a day tops up once.
    const idempotencyKey = `top-up-${card.id}-${new Date().toISOString().slice(0, 10)}`
    const { id } = await cardstock.operations.create({ type: 'topup', cardId: card.id, amount }, { idempotencyKey })
    const { status, fee } = await cardstock.operations.waitFor(id)
    console.log(`Card ${card.id}: ${card.balance} + ${amount} (fee ${fee}) is ${status}.`)
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.code !== 'insufficient_funds') throw error
    console.log(`Card ${card.id}: the account has ${String(error.details?.['available'])}, which is not enough.`)
    break
  }
}
