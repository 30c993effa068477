// The decisions about operations, without a database: what it costs, and what follows from an issuer's answer.
import type { Product } from '../catalog/catalog.ts'
import { type Price, type Quote, quote, requireAmountAllowed } from '../catalog/pricing.ts'
import { ApiError, notFound } from '../errors.ts'
import type { IssuerOutcome } from '../issuer/port.ts'
import type { Settlement } from '../ledger/settle.ts'
import { newId } from '../lib/ids.ts'
import { formatCents, parseCents } from '../lib/money.ts'
import type { ClaimedOperation } from './queries.ts'
import type { NewOperation } from './schema.ts'

/** Nothing left this machine: try again after these pauses, then give the money back. */
export const UNSENT_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 300_000]

const LAST4 = /^\d{4}$/

/** A product that is missing, or of the wrong kind for this operation, is not found. */
export function requirePrice(product: Product | undefined, type: NewOperation['type']): Price {
  const price = product?.prices.get(type)
  if (price === undefined) throw notFound()
  return price
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

/** A total function from evidence to what becomes of the operation. Unknown never becomes failed or completed here. */
export function settlementOf(
  operation: ClaimedOperation,
  outcome: IssuerOutcome,
  context: { now: Date; lookUpDelaysMs: readonly number[] },
): Settlement {
  const { company_id: companyId, environment, id } = operation
  const scope = { companyId, environment }
  const after = (delayMs: number) => new Date(context.now.getTime() + delayMs)
  switch (outcome.kind) {
    case 'confirmed': {
      const { receipt } = outcome
      if (operation.type !== 'issue') return { scope, id, status: 'completed', receipt }
      // Without the last four digits it is no valid answer to an issue, however friendly it looks.
      if (outcome.last4 === undefined || !LAST4.test(outcome.last4))
        return unknownSettlement(operation, { scope, id }, context)
      return { scope, id, status: 'completed', receipt, card: { id: newId(context.now), last4: outcome.last4 } }
    }
    case 'declined':
      return { scope, id, status: 'failed', failure: { code: outcome.code, message: outcome.message } }
    case 'not_sent': {
      const delayMs = UNSENT_DELAYS_MS[operation.unsent_count]
      if (delayMs !== undefined) return { scope, id, status: 'queued', dueAt: after(delayMs) }
      const message = 'The issuer could not be reached, and nothing was sent to it.'
      return { scope, id, status: 'failed', failure: { code: 'issuer_unreachable', message } }
    }
    case 'unknown':
      return unknownSettlement(operation, { scope, id }, context)
  }
}

function unknownSettlement(
  operation: ClaimedOperation,
  target: Pick<Settlement, 'scope' | 'id'>,
  { now, lookUpDelaysMs }: { now: Date; lookUpDelaysMs: readonly number[] },
): Settlement {
  const delayMs = lookUpDelaysMs[operation.look_up_count]
  if (delayMs === undefined) return { ...target, status: 'manual_review' }
  return { ...target, status: 'processing', dueAt: new Date(now.getTime() + delayMs) }
}
