// The decisions about operations, without a database: what it costs, and what follows from an issuer's answer.
import type { Catalog, Product } from '../catalog/catalog.ts'
import { productRetired } from '../catalog/change.ts'
import { type OperationType, type Price, type Quote, quote, requireAmountAllowed } from '../catalog/pricing.ts'
import { ApiError, notFound } from '../errors.ts'
import { nextStep } from '../issuer/evidence.ts'
import type { IssuerOutcome, LookUpOutcome } from '../issuer/port.ts'
import type { DecisionContext } from '../issuer/requests/kind.ts'
import type { Settlement } from '../ledger/items.ts'
import { invariant, must } from '../lib/invariant.ts'
import { formatCents, parseCents } from '../lib/money.ts'
import { cardIdOf } from '../cards/card-id.ts'
import type { ClaimedOperation } from './queries.ts'
import type { NewOperation } from './schema.ts'

/** If nothing was sent, try again after these pauses, then release the money. */
export const UNSENT_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 300_000]

const LAST4 = /^\d{4}$/

/**
 * Returns the price that this company pays now. A product that is missing, or of the wrong kind for this operation, is not
 * found. A retired one is not sold, but cards of it are still topped up.
 */
export function requirePrice(catalog: Catalog, companyId: string, productId: string, type: OperationType): Price {
  const price = catalog.findPrice(productId, type, companyId)
  if (price === undefined) throw noPrice(catalog.find(productId), type)
  if (type !== 'topup' && catalog.find(productId)?.retiredAt !== null) throw productRetired(productId, 'productId')
  return price
}

/** Every company may read every product, so the answer may say what kind of product it is. */
function noPrice(product: Product | undefined, type: OperationType): ApiError {
  const needed = type === 'service' ? 'service' : 'card'
  if (product === undefined || product.kind === needed) return notFound('productId')
  const message = `${product.id} is a ${product.kind} product, and ${ORDERS[type]} needs a ${needed} product. Choose one from GET /products.`
  return new ApiError('not_found', message, { param: 'productId' })
}

const ORDERS: Readonly<Record<OperationType, string>> = {
  issue: 'issuing a card',
  topup: 'a top-up',
  service: 'ordering a service',
}

export function requireQuote(price: Price, body: NewOperation): Quote {
  const amount = parseCents(body.amount)
  requireAmountAllowed(price, amount)
  const current = quote(price, amount)
  if (body.expectedTotal !== undefined && parseCents(body.expectedTotal) !== current.total) {
    throw new ApiError(
      'quote_changed',
      'The total is not the expected one. Check details and send the new expectedTotal.',
      {
        param: 'expectedTotal',
        details: {
          amount: formatCents(current.amount),
          fee: formatCents(current.fee),
          total: formatCents(current.total),
        },
      },
    )
  }
  return current
}

/** Returns what follows from the issuer's answer. evidence.ts has the table. */
export function settlementOf(
  operation: ClaimedOperation,
  outcome: IssuerOutcome | LookUpOutcome,
  context: DecisionContext,
): Settlement {
  const { company_id: companyId, environment, id } = operation
  const target = { scope: { companyId, environment }, id }
  const step = nextStep(isComplete(operation, outcome) ? outcome : { kind: 'unknown' }, {
    now: context.now,
    since: context.since,
    purpose: context.purpose,
    lookUps: { done: operation.look_up_count, delaysMs: context.lookUpDelaysMs },
    sends: { done: operation.unsent_count, delaysMs: UNSENT_DELAYS_MS },
  })
  switch (step.kind) {
    case 'complete':
      return { ...target, status: 'completed', ...resultOf(operation, outcome) }
    case 'fail':
      return { ...target, status: 'failed', failure: step.failure }
    case 'send_again':
      return { ...target, status: 'queued', dueAt: step.at }
    case 'look_up':
      return { ...target, status: 'processing', dueAt: step.at, lookUps: step.lookUps }
    case 'review':
      return { ...target, status: 'manual_review' }
  }
}

/** A confirmation of an issue without the last four digits is not a valid answer, so its outcome is unknown. */
function isComplete({ type }: ClaimedOperation, outcome: IssuerOutcome | LookUpOutcome): boolean {
  return outcome.kind !== 'confirmed' || type !== 'issue' || LAST4.test(outcome.last4 ?? '')
}

function resultOf(
  { id, type }: ClaimedOperation,
  outcome: IssuerOutcome | LookUpOutcome,
): Pick<Settlement, 'receipt' | 'card'> {
  invariant(outcome.kind === 'confirmed', 'only a confirmation completes an operation')
  const { receipt, last4 } = outcome
  return type === 'issue' ? { receipt, card: { id: cardIdOf(id), last4: must(last4) } } : { receipt }
}
