// POST /operations: prices an operation and passes it to the intake, which reserves the funds and stores the operation in one
// transaction. It cannot be charged twice, because the idempotency key is a unique column of the operation itself.
import type { Caller } from '../access/caller.ts'
import { creatorOf } from '../access/creator.ts'
import type { CardProducts } from '../cards/card-products.ts'
import { findCard } from '../cards/queries.ts'
import { TOP_UP_STATUSES } from '../cards/states.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Quote } from '../catalog/pricing.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireId } from '../errors.ts'
import { findHolder } from '../holders/queries.ts'
import type { Gate, Gates } from '../issuer/gate.ts'
import type { Intake } from '../ledger/accept.ts'
import type { Candidate } from '../ledger/items.ts'
import type { AcceptedOperation, Verdict } from '../ledger/verdict.ts'
import { payloadDigest } from '../lib/digest.ts'
import { formatId } from '../lib/ids.ts'
import { cents, formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { RequestSpan } from '../telemetry/tracing.ts'
import { findOperationByKey } from './queries.ts'
import { requirePrice, requireQuote } from './rules.ts'
import type { NewOperation } from './schema.ts'

export interface CreateDeps {
  db: Db
  catalog: Catalog
  cardProducts: CardProducts
  intake: Intake
  gates: Gates
}

interface Ordered {
  readonly idempotencyKey: string
  readonly body: NewOperation
  readonly span: RequestSpan | undefined
}

export interface Created {
  readonly operation: AcceptedOperation
  readonly replayed: boolean
}

type Order = Pick<Candidate, 'type' | 'productId' | 'amount' | 'fee' | 'holderId' | 'cardId' | 'name' | 'recipient'>

export async function createOperation(
  deps: CreateDeps,
  caller: Caller,
  { idempotencyKey, body, span }: Ordered,
): Promise<Created> {
  const { scope, issuanceQuota } = caller
  const digest = payloadDigest(body)
  let order: Order
  try {
    order = await priceOrder(deps, scope, body)
  } catch (refusal) {
    // An accepted request gets the same answer forever, even if prices or products have changed since.
    const original = await findOriginal(deps.db, scope, { idempotencyKey, digest })
    if (original !== undefined) return original
    throw await asRefused(deps.db, scope, body, refusal)
  }
  const { type, productId, amount, fee, holderId, cardId, name, recipient } = order
  // Copy field by field, as everywhere on this path: a spread costs more than all the checks.
  const verdict = await deps.intake.accept({
    scope,
    type,
    productId,
    amount,
    fee,
    holderId,
    cardId,
    name,
    recipient,
    idempotencyKey,
    digest,
    issuanceQuota,
    createdBy: creatorOf(caller),
    span,
  })
  return requireAccepted(verdict, order)
}

/** POST /quotes: the same checks and the same price, without reserving anything. */
export async function quoteOperation(
  deps: Omit<CreateDeps, 'intake'>,
  scope: Scope,
  body: NewOperation,
): Promise<Quote> {
  const { amount, fee } = await priceOrder(deps, scope, body).catch(async (refusal: unknown) => {
    throw await asRefused(deps.db, scope, body, refusal)
  })
  await requireActive(deps.db, scope, body)
  return { amount, fee, total: cents(amount + fee) }
}

async function priceOrder(
  { catalog, cardProducts, gates }: Omit<CreateDeps, 'intake'>,
  scope: Scope,
  body: NewOperation,
): Promise<Order> {
  requireOffered(gates[scope.environment], body.type)
  switch (body.type) {
    case 'issue': {
      const { productId, name = null } = body
      const { amount, fee } = requireQuote(requirePrice(catalog, scope.companyId, productId, 'issue'), body)
      const holderId = requireId('hld', body.holderId, 'holderId')
      return { type: 'issue', productId, amount, fee, holderId, cardId: null, name, recipient: null }
    }
    case 'topup': {
      const cardId = requireId('card', body.cardId, 'cardId')
      const productId = await cardProducts.find(scope, cardId)
      if (productId === undefined) throw notFound('cardId')
      if (body.productId !== undefined && body.productId !== productId) {
        throw new ApiError(
          'product_mismatch',
          `body.productId is not this card's product. Send "${productId}" or leave it out.`,
          { param: 'productId' },
        )
      }
      const { amount, fee } = requireQuote(requirePrice(catalog, scope.companyId, productId, 'topup'), body)
      return { type: 'topup', productId, amount, fee, holderId: null, cardId, name: null, recipient: null }
    }
    case 'service': {
      const { productId, recipient } = body
      const { amount, fee } = requireQuote(requirePrice(catalog, scope.companyId, productId, 'service'), body)
      return { type: 'service', productId, amount, fee, holderId: null, cardId: null, name: null, recipient }
    }
  }
}

/** Refuses what the issuer has said that it does not carry out. Without an issuer, the capability is missing, which is checked elsewhere. */
function requireOffered(gate: Gate | undefined, type: NewOperation['type']): void {
  if (gate === undefined || gate.issuer.offers(type)) return
  if (type === 'service') {
    throw new ApiError('service_not_available', 'The issuer of this server does not provide services.')
  }
  throw new ApiError('not_offered', 'The issuer of this server does not issue or top up cards. Ask the operator.')
}

/** A missing object (404) takes precedence over a broken rule. The intake would look the holder up, but a refusal comes earlier. */
async function asRefused(db: Db, scope: Scope, body: NewOperation, refusal: unknown): Promise<unknown> {
  if (!(refusal instanceof ApiError) || refusal.code === 'not_found' || body.type !== 'issue') return refusal
  const holder = await findHolder(db, scope, requireId('hld', body.holderId, 'holderId'))
  return holder === undefined ? notFound('holderId') : refusal
}

/** What the intake checks of an operation. */
async function requireActive(db: Db, scope: Scope, body: NewOperation): Promise<void> {
  if (body.type === 'issue') {
    const holder = await findHolder(db, scope, requireId('hld', body.holderId, 'holderId'))
    if (holder === undefined) throw notFound('holderId')
    if (holder.status !== 'active') throw holderNotActive()
  }
  if (body.type === 'topup') {
    const card = await findCard(db, scope, requireId('card', body.cardId, 'cardId'))
    if (card === undefined || !TOP_UP_STATUSES.includes(card.status)) throw cardNotActive()
  }
}

async function findOriginal(
  db: Db,
  scope: Scope,
  { idempotencyKey, digest }: { idempotencyKey: string; digest: string },
): Promise<Created | undefined> {
  const row = await findOperationByKey(db, scope, idempotencyKey)
  if (row === undefined) return undefined
  const { id, type, created_at: createdAt } = row
  if (row.request_digest.toString('hex') !== digest) throw idempotencyConflict(id)
  return { operation: { id, type, amount: cents(row.amount), fee: cents(row.fee), createdAt }, replayed: true }
}

function requireAccepted(verdict: Verdict, order: Order): Created {
  switch (verdict.kind) {
    case 'accepted':
      return { operation: verdict.operation, replayed: false }
    case 'replay':
      return { operation: verdict.operation, replayed: true }
    case 'conflict':
      throw idempotencyConflict(verdict.originalId)
    case 'no_holder':
      throw notFound('holderId')
    case 'no_card':
      throw notFound('cardId')
    case 'holder_inactive':
      throw holderNotActive()
    case 'card_inactive':
      throw cardNotActive()
    case 'quota':
      throw new ApiError(
        'issuance_quota_exceeded',
        'The monthly quota of new cards is used up. It starts again next month (UTC).',
      )
    case 'funds': {
      const details = { available: formatCents(verdict.available), required: formatCents(order.amount + order.fee) }
      const message = `The card account has ${details.available} USD available and ${details.required} USD is needed. Add funds first.`
      throw new ApiError('insufficient_funds', message, { details })
    }
  }
}

function holderNotActive(): ApiError {
  return new ApiError('holder_not_active', 'Only an active holder can get a card. Choose another holder.', {
    param: 'holderId',
  })
}

function cardNotActive(): ApiError {
  return new ApiError('card_not_active', 'Only an active card can be topped up. Unfreeze it or choose another card.', {
    param: 'cardId',
  })
}

function idempotencyConflict(originalId: string): ApiError {
  return new ApiError(
    'idempotency_conflict',
    'This Idempotency-Key was used with another body. Use a new key for a new operation.',
    {
      param: 'Idempotency-Key',
      details: { originalId: formatId('op', originalId) },
    },
  )
}
