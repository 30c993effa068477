// Writes the objects of the simulated Stripe as Stripe's API does. Pure.
import type {
  Merchant,
  SimulatedAuthorization,
  SimulatedCard,
  SimulatedEvent,
  SimulatedHolder,
  SimulatedTransaction,
} from './world.ts'

/** Returns a whole number as JSON has it. */
export function whole(value: bigint): number {
  return Number(value)
}

export function renderHolder({ id, created, request, status, disabledReason, pastDue }: SimulatedHolder): object {
  return {
    id,
    object: 'issuing.cardholder',
    billing: request['billing'],
    company: null,
    created,
    email: request['email'] ?? null,
    individual: request['individual'] ?? null,
    livemode: false,
    metadata: request['metadata'] ?? {},
    name: request['name'],
    phone_number: null,
    preferred_locales: [],
    requirements: { disabled_reason: disabledReason, past_due: pastDue },
    spending_controls: { spending_limits: [], spending_limits_currency: null },
    status,
    type: request['type'],
  }
}

export function renderCard({ id, cardholder, created, last4, metadata, status, limits }: SimulatedCard): object {
  return {
    id,
    object: 'issuing.card',
    brand: 'Visa',
    cancellation_reason: null,
    cardholder: renderHolder(cardholder),
    created,
    currency: 'usd',
    exp_month: 12,
    exp_year: 2030,
    last4,
    livemode: false,
    metadata,
    replaced_by: null,
    replacement_for: null,
    replacement_reason: null,
    shipping: null,
    spending_controls: {
      allowed_categories: null,
      blocked_categories: null,
      spending_limits: limits.map(({ amount, interval }) => ({ amount: whole(amount), categories: null, interval })),
      spending_limits_currency: 'usd',
    },
    status,
    type: 'virtual',
    wallets: null,
  }
}

export function renderTransaction(transaction: SimulatedTransaction): object {
  const { id, card, authorization, type, amount, merchantAmount, merchant, created } = transaction
  return {
    id,
    object: 'issuing.transaction',
    amount: whole(amount),
    amount_details: null,
    authorization: authorization?.id ?? null,
    balance_transaction: null,
    card: card.id,
    cardholder: card.cardholder.id,
    created,
    currency: 'usd',
    dispute: null,
    livemode: false,
    merchant_amount: whole(merchantAmount),
    merchant_currency: merchant.currency,
    merchant_data: renderMerchant(merchant),
    metadata: {},
    type,
    wallet: null,
  }
}

export function renderAuthorization(authorization: SimulatedAuthorization): object {
  const { id, card, created, merchant, approved, asked, holds, transactions, status, amount, merchantAmount } =
    authorization
  return {
    id,
    object: 'issuing.authorization',
    amount: whole(amount),
    amount_details: null,
    approved,
    authorization_method: 'online',
    balance_transactions: holds.map((hold) => ({
      object: 'balance_transaction',
      amount: whole(hold.amount),
      created: hold.created,
      currency: 'usd',
      type: hold.amount < 0n ? 'issuing_authorization_hold' : 'issuing_authorization_release',
    })),
    card: renderCard(card),
    cardholder: card.cardholder.id,
    created,
    currency: 'usd',
    livemode: false,
    merchant_amount: whole(merchantAmount),
    merchant_currency: merchant.currency,
    merchant_data: renderMerchant(merchant),
    metadata: {},
    pending_request: null,
    request_history: [
      {
        amount: whole(asked.amount),
        approved,
        created,
        currency: 'usd',
        merchant_amount: whole(asked.merchantAmount),
        merchant_currency: merchant.currency,
        reason: approved ? 'webhook_approved' : 'spending_controls',
      },
    ],
    status,
    transactions: transactions.map(renderTransaction),
    wallet: null,
  }
}

export function renderEvent({ id, type, created, object }: SimulatedEvent): object {
  return {
    id,
    object: 'event',
    api_version: '2026-07-29.dahlia',
    created,
    data: { object },
    livemode: false,
    pending_webhooks: 0,
    request: { id: null, idempotency_key: null },
    type,
  }
}

function renderMerchant({ mcc, name, country }: Merchant): object {
  return {
    category: 'eating_places_restaurants',
    category_code: mcc,
    city: 'San Francisco',
    country,
    name,
    network_id: '1234567890',
    postal_code: '94107',
    state: 'CA',
    url: null,
  }
}
