// Controls the simulated Stripe: makes payments, changes what a person would change in the dashboard, and makes calls fail. It moves no real money, so
// everybody who reaches its port may use it.
import { Type } from 'typebox'
import { ApiError } from '../../../errors.ts'
import { ok, publicRoute, type Route } from '../../../http/route.ts'
import { formatCents, parseCents } from '../../../lib/money.ts'
import { Amount, nullable, object } from '../../../lib/wire.ts'
import { misbehaviourRoutes } from '../kit/control-routes.ts'
import { requireAuthorization, requireHolder, updateCard } from './api-calls.ts'
import { ANSWER_MODES, type Behaviours, ROUTE_IDS } from './behaviour.ts'
import * as payments from './payments.ts'
import { Failure, type SimulatedAuthorization, type SimulatedTransaction, type World } from './world.ts'

export interface ControlDeps {
  readonly world: World
  readonly behaviours: Behaviours
}

const Anything = Type.Unknown()
const Id = Type.String({ pattern: '^[a-z]{1,20}_\\w{1,100}$' })
const IdParams = object({ id: Id })
const PaymentBody = object({
  card: Id,
  kind: Type.Optional(Type.Enum(['purchase', 'force_capture', 'refund'])),
  amount: Amount,
  merchantAmount: Type.Optional(Type.Integer({ minimum: 0 })),
  currency: Type.Optional(Type.String({ pattern: '^[a-z]{3}$' })),
  mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
})
const ChangeBody = object({
  action: Type.Enum(['capture', 'reverse', 'expire', 'refund']),
  amount: Type.Optional(Amount),
})
const MAKERS = { purchase: payments.authorise, force_capture: payments.forceCapture, refund: payments.refund }

/** Lists of routes may be long, because they are data. */
export function controlRoutes({ world, behaviours }: ControlDeps): Route[] {
  const tag = 'control'
  return [
    publicRoute({
      method: 'POST',
      path: '/control/payments',
      tag,
      id: 'makePayment',
      summary: 'Make a payment with a card',
      description: 'Authorises a purchase, or makes a capture or a refund without an authorization.',
      body: PaymentBody,
      responses: { 200: Anything },
      handle: async ({ body: { kind = 'purchase', amount, merchantAmount, ...rest } }) => {
        const foreign = merchantAmount === undefined ? undefined : BigInt(merchantAmount)
        const wanted = { ...rest, amount: parseCents(amount), merchantAmount: foreign }
        return ok(show(attempt(() => MAKERS[kind](world, wanted))))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/payments/:id',
      tag,
      id: 'changePayment',
      summary: 'Capture, reverse, expire or refund an authorization',
      description: 'An amount above the authorised one is captured all the same, and so is one that comes later.',
      params: IdParams,
      body: ChangeBody,
      responses: { 200: Anything },
      handle: async ({ params: { id }, body: { action, amount } }) =>
        ok(
          show(
            attempt(() => {
              const { asked, card } = requireAuthorization(world, id)
              const wanted = amount === undefined ? asked.amount : parseCents(amount)
              if (action === 'capture') return payments.capture(world, id, wanted)
              if (action === 'refund') {
                return payments.refund(world, { card: card.id, authorization: id, amount: wanted })
              }
              return payments.end(world, id, action === 'reverse' ? 'reversed' : 'expired')
            }),
          ),
        ),
    }),
    publicRoute({
      method: 'POST',
      path: '/control/cards/:id',
      tag,
      id: 'changeCard',
      summary: 'Change a card by hand',
      description: 'Changes the status or the limit of a card, as a person does in the dashboard.',
      params: IdParams,
      body: object({
        status: Type.Optional(Type.Enum(['active', 'inactive', 'canceled'])),
        limit: Type.Optional(Amount),
      }),
      responses: { 200: Anything },
      handle: async ({ params: { id }, body: { status, limit } }) => {
        const limits = limit === undefined ? [] : [{ amount: String(parseCents(limit)), interval: 'all_time' as const }]
        const update = {
          ...(status === undefined ? {} : { status }),
          ...(limit === undefined ? {} : { spending_controls: { spending_limits: limits } }),
        }
        const card = attempt(() => updateCard(world, id, update))
        return ok({ id, status: card.status, limits: showLimits(card) })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/cardholders/:id',
      tag,
      id: 'changeCardholder',
      summary: 'Disable or enable a cardholder',
      description: 'While a reason is set, all cards of the cardholder decline. Null removes it.',
      params: IdParams,
      body: object({ disabledReason: nullable(Type.Enum(['listed', 'rejected.listed', 'requirements.past_due'])) }),
      responses: { 200: Anything },
      handle: async ({ params: { id }, body: { disabledReason } }) => {
        attempt(() => requireHolder(world, id)).disabledReason = disabledReason
        return ok({ id, disabledReason })
      },
    }),
    ...misbehaviourRoutes({ routeIds: ROUTE_IDS, modes: ANSWER_MODES, behaviours, world }),
    publicRoute({
      method: 'GET',
      path: '/control/state',
      tag,
      id: 'showStripe',
      summary: 'Show cards and money',
      description: 'Returns the Issuing balance, the cards and how calls behave.',
      responses: { 200: Anything },
      handle: async () => ok(showWorld(world, behaviours)),
    }),
  ]
}

function showWorld(world: World, behaviours: Behaviours): object {
  const cards = [...world.cards.values()].map((card) => ({
    id: card.id,
    cardholder: card.cardholder.id,
    status: card.status,
    limits: showLimits(card),
    spent: formatCents(payments.spentOn(world, card)),
  }))
  return { balance: formatCents(world.balance), cards, behaviours: behaviours.list() }
}

function showLimits({ limits }: { readonly limits: readonly { amount: bigint; interval: string }[] }): string[] {
  return limits.map(({ amount, interval }) => `${formatCents(amount)} ${interval}`)
}

function show(payment: SimulatedAuthorization | SimulatedTransaction): object {
  const { id, amount } = payment
  const state = 'status' in payment ? { status: payment.status, approved: payment.approved } : { type: payment.type }
  return { id, ...state, amount: formatCents(amount) }
}

/** What the simulated Stripe refuses is a wrong request here. */
function attempt<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure) throw new ApiError('validation_failed', error.message)
    throw error
  }
}
