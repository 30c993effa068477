// Controls the simulated Lithic: makes payments, changes what a person would change in the dashboard, and makes calls fail. It moves no real money, so
// everybody who reaches its port may use it.
import { Type } from 'typebox'
import { ApiError } from '../../../errors.ts'
import { ok, publicRoute, type Route } from '../../../http/route.ts'
import { formatCents, parseCents } from '../../../lib/money.ts'
import { Amount, object } from '../../../lib/wire.ts'
import { misbehaviourRoutes } from '../kit/control-routes.ts'
import { updateCard } from './api-calls.ts'
import { ANSWER_MODES, type Behaviours, ROUTE_IDS } from './behaviour.ts'
import * as payments from './payments.ts'
import { whole } from './render.ts'
import { Failure, type Payment, type World } from './world.ts'

export interface ControlDeps {
  readonly world: World
  readonly behaviours: Behaviours
}

const Anything = Type.Unknown()
const Token = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const TokenParams = object({ token: Token })
const PaymentBody = object({
  card: Token,
  kind: Type.Optional(Type.Enum(['purchase', 'force_post', 'refund'])),
  amount: Amount,
  merchantAmount: Type.Optional(Type.Integer({ minimum: 0 })),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$' })),
  descriptor: Type.Optional(Type.String({ minLength: 1, maxLength: 25 })),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
})
const ChangeBody = object({
  action: Type.Enum(['settle', 'void', 'expire', 'refund']),
  amount: Type.Optional(Amount),
  isLast: Type.Optional(Type.Boolean()),
})
const MAKERS = { purchase: payments.purchase, force_post: payments.forcePost, refund: payments.refund }

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
      description: 'Authorises a purchase, or posts a payment or a refund without an authorisation.',
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
      path: '/control/payments/:token',
      tag,
      id: 'changePayment',
      summary: 'Settle, void, expire or refund a payment',
      description: 'An amount above the authorised one is presented all the same.',
      params: TokenParams,
      body: ChangeBody,
      responses: { 200: Anything },
      handle: async ({ params: { token }, body: { action, amount, isLast } }) =>
        ok(
          show(
            attempt(() => {
              const held = payments.requirePayment(world, token).hold
              const wanted = amount === undefined ? held : parseCents(amount)
              if (action === 'void') return payments.voidPayment(world, token)
              if (action === 'expire') return payments.expire(world, token)
              if (action === 'refund') return payments.refundInto(world, token, wanted)
              return payments.settle(world, token, { amount: wanted, isLast })
            }),
          ),
        ),
    }),
    publicRoute({
      method: 'POST',
      path: '/control/cards/:token',
      tag,
      id: 'changeCard',
      summary: 'Change a card by hand',
      description: 'Changes the state or the limit of a card, as a person does in the dashboard.',
      params: TokenParams,
      body: object({
        state: Type.Optional(Type.Enum(['CLOSED', 'OPEN', 'PAUSED'])),
        limit: Type.Optional(Amount),
      }),
      responses: { 200: Anything },
      handle: async ({ params: { token }, body: { state, limit } }) => {
        const update = {
          ...(state === undefined ? {} : { state }),
          ...(limit === undefined ? {} : { spend_limit: whole(parseCents(limit)) }),
        }
        const card = attempt(() => updateCard(world, token, update))
        return ok({ token, state: card.state, limit: formatCents(card.limit) })
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/transfers/:token/reverse',
      tag,
      id: 'reverseTransfer',
      summary: 'Reverse a transfer by hand',
      description: 'Moves the money back, as a person does in the dashboard.',
      params: TokenParams,
      body: object({}),
      responses: { 200: Anything },
      handle: async ({ params: { token } }) => {
        attempt(() => payments.reverseTransfer(world, token))
        return ok({ token })
      },
    }),
    ...misbehaviourRoutes({ routeIds: ROUTE_IDS, modes: ANSWER_MODES, behaviours, world }),
    publicRoute({
      method: 'GET',
      path: '/control/state',
      tag,
      id: 'showLithic',
      summary: 'Show cards and money',
      description: 'Returns the accounts, the cards and how calls behave. Card numbers are left out.',
      responses: { 200: Anything },
      handle: async () => ok(showWorld(world, behaviours)),
    }),
  ]
}

function showWorld(world: World, behaviours: Behaviours): object {
  const accounts = [...world.accounts].map(([token, { total, held }]) => ({
    token,
    total: formatCents(total),
    held: formatCents(held),
  }))
  const cards = [...world.cards.values()].map(({ token, memo, state, limit, spent }) => ({
    token,
    memo,
    state,
    limit: formatCents(limit),
    spent: formatCents(spent),
  }))
  return { fundingAccount: world.fundingAccount, accounts, cards, behaviours: behaviours.list() }
}

function show({ token, status, hold, settled }: Payment): object {
  return { token, status, held: formatCents(hold), settled: formatCents(settled) }
}

/** What the simulated Lithic refuses is a wrong request here. */
function attempt<Value>(act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof Failure) throw new ApiError('validation_failed', error.message)
    throw error
  }
}
