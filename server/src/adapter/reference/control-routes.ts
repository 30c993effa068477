// Controls the reference issuer: makes it misbehave, see a payment, report a card payment, or be down. It has a separate
// port, for tests and demonstrations, and accepts everyone who knows the secret.
import { Type } from 'typebox'
import { notFound, requireFound } from '../../errors.ts'
import { ok, publicRoute, type Route } from '../../http/route.ts'
import { MerchantCategory, object } from '../../lib/wire.ts'
import { findId, newId, ZERO_ID } from '../../lib/ids.ts'
import { parseMicros, USDT_PATTERN } from '../../tron/usdt.ts'
import { requireControlSecret } from '../../issuer/http/control-secret.ts'
import { REQUEST_KINDS } from '../../issuer/http/protocol.ts'
import { EVENT_MODES, queueEvent } from '../outbox/outbox.ts'
import { listEvents } from '../outbox/queries.ts'
import { LAST_TOKEN } from '../records/book.ts'
import { MODES } from './behaviour.ts'
import type { ReferenceDeps } from './server.ts'
import { findIssuedCard, findRequest, insertPayment, listArrivals, listRequests } from '../records/queries.ts'

/** What one answer about the book shows. */
const LINES_MAX = 10_000
/** Longer than the longest time that a server waits for the issuer. */
const DELAY_MAX_MS = 120_000

export interface ControlDeps extends ReferenceDeps {
  /** Opens or closes the port of the protocol: closed, connections are refused. */
  listen(isListening: boolean): Promise<void>
}

const Anything = Type.Unknown()

export function controlRoutes(deps: ControlDeps): Route[] {
  const { db, clock, behaviour } = deps
  const tag = 'control'
  return [
    publicRoute({
      method: 'PUT',
      path: '/control/behaviour',
      tag,
      id: 'setBehaviour',
      summary: 'Choose how requests are answered',
      description: 'Chooses how requests of one kind, or of all kinds, are answered from now on.',
      body: object({
        kind: Type.Optional(Type.Enum([...REQUEST_KINDS, 'look_up', 'all'])),
        mode: Type.Enum([...MODES]),
        times: Type.Optional(Type.Integer({ minimum: 1 })),
        delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: DELAY_MAX_MS })),
      }),
      responses: { 200: Anything },
      handle: async ({ body: { kind = 'all', mode, times = Number.POSITIVE_INFINITY, delayMs = 0 }, headers }) => {
        requireSecret(deps, headers.authorization)
        behaviour.set(kind, { mode, times, delayMs })
        return ok({ kind, mode })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/events',
      tag,
      id: 'setEventBehaviour',
      summary: 'Choose how events are sent',
      description: 'Chooses how events are sent from now on.',
      body: object({ mode: Type.Enum([...EVENT_MODES]) }),
      responses: { 200: Anything },
      handle: async ({ body, headers }) => {
        requireSecret(deps, headers.authorization)
        behaviour.events = body.mode
        return ok({ mode: body.mode })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/fence',
      tag,
      id: 'setFence',
      summary: 'Choose whether tokens can be fenced',
      description: 'Chooses whether a look-up with a fence is answered from now on.',
      body: object({ enabled: Type.Boolean() }),
      responses: { 200: Anything },
      handle: async ({ body, headers }) => {
        requireSecret(deps, headers.authorization)
        behaviour.hasFence = body.enabled
        return ok(body)
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/about',
      tag,
      id: 'setAbout',
      summary: 'Choose what the issuer can do',
      description:
        'Chooses which version of the protocol the issuer speaks, which kinds of requests it carries out, and whether it issues cards only to holders whose details were entered.',
      body: object({
        protocol: Type.Optional(Type.Enum(['1.0', '1.1'])),
        kinds: Type.Optional(Type.Array(Type.Enum([...REQUEST_KINDS]))),
        needsHolderDetails: Type.Optional(Type.Boolean()),
      }),
      responses: { 200: Anything },
      handle: async ({ body, headers }) => {
        requireSecret(deps, headers.authorization)
        Object.assign(behaviour, body)
        const { protocol, kinds, needsHolderDetails } = behaviour
        return ok({ protocol, kinds, needsHolderDetails })
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/control/listening',
      tag,
      id: 'setAvailability',
      summary: 'Go down or come back',
      description: 'Makes the issuer refuse every request, or answer again.',
      body: object({ listening: Type.Boolean() }),
      responses: { 200: Anything },
      handle: async ({ body, headers }) => {
        requireSecret(deps, headers.authorization)
        await deps.listen(body.listening)
        return ok(body)
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/cards/:card/payments',
      tag,
      id: 'payByCard',
      summary: 'Simulate a card payment',
      description: 'Reports a settled purchase with a card of this issuer: the id of a card, or `newest`.',
      params: object({ card: Type.String() }),
      body: object({
        amount: Type.String({ pattern: '^\\d{1,10}\\.\\d{2}$', hint: 'dollars and cents, such as 12.30' }),
        merchant: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
        merchantCategory: Type.Optional(MerchantCategory),
      }),
      responses: { 200: Anything },
      handle: async ({ params, body, headers }) => {
        requireSecret(deps, headers.authorization)
        return ok(await reportPurchase(deps, params.card, body))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/control/events',
      tag,
      id: 'sendEvent',
      summary: 'Send an event',
      description: 'Sends any event of the protocol. Its id and time are made here.',
      body: object({ event: Type.Record(Type.String(), Type.Unknown()) }),
      responses: { 200: Anything },
      handle: async ({ body, headers }) => {
        requireSecret(deps, headers.authorization)
        return ok({ id: await queueEvent(deps, body.event as never) })
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/control/book',
      tag,
      id: 'showBook',
      summary: 'Show the book',
      description: 'Returns every request with its effects, every arrival and every event.',
      responses: { 200: Anything },
      handle: async ({ headers }) => {
        requireSecret(deps, headers.authorization)
        const rows = await listRequests(db, { companyId: null, after: ZERO_ID, until: LAST_TOKEN, limit: LINES_MAX })
        return ok({
          requests: rows.map(({ received, ...row }) => ({ ...row, received: received?.toString() ?? null })),
          arrivals: await listArrivals(db, LINES_MAX),
          events: await listEvents(db, LINES_MAX),
          now: clock.now(),
        })
      },
    }),
  ]
}

/** Only for invoices with addresses of nobody: a payment of a real one is seen on the chain. */
export function paymentRoute(deps: Pick<ReferenceDeps, 'db' | 'clock' | 'secret'>): Route {
  const tag = 'control'
  return publicRoute({
    method: 'POST',
    path: '/control/invoices/:token/payments',
    tag,
    id: 'payInvoice',
    summary: 'Simulate a payment of an invoice',
    description: 'Reports a payment of an invoice. Without a body it is the exact amount, now.',
    params: object({ token: Type.String() }),
    body: object({
      amount: Type.Optional(Type.String({ pattern: USDT_PATTERN })),
      paidAt: Type.Optional(Type.String({ format: 'date-time' })),
    }),
    responses: { 200: Anything },
    handle: async ({ params, body, headers }) => {
      requireSecret(deps, headers.authorization)
      return ok(await seePayment(deps, params.token, body))
    },
  })
}

/** An invoice is named by its token or by its id in the API. */
async function seePayment(
  deps: Pick<ReferenceDeps, 'db' | 'clock'>,
  name: string,
  wanted: { amount?: string; paidAt?: string },
) {
  const { db, clock } = deps
  const token = findId('inv', name) ?? name
  if (!/^[0-9a-f-]{36}$/.test(token)) throw notFound()
  const request = requireFound(await findRequest(db, token))
  if (request.answer?.outcome !== 'done' || request.answer.kind !== 'invoice') throw notFound()
  const paidAt = wanted.paidAt ?? clock.now().toISOString()
  const amount = wanted.amount ?? request.answer.payAmount
  const paymentId = `tx_${newId(clock.now()).replaceAll('-', '')}`
  await insertPayment(db, { id: paymentId, token, amount: parseMicros(amount), paidAt: new Date(paidAt) })
  const { companyId } = request.content
  const event = { type: 'invoice.settled', companyId, data: { token, paymentId, amount, paidAt } } as const
  return { eventId: await queueEvent(deps, event), paymentId, amount, paidAt }
}

/** Shops that sell this and that, ISO 18245. */
const RETAIL = '5999'

/** The issuer knows its cards by the ids that the server gave them. */
async function reportPurchase(
  deps: ControlDeps,
  card: string,
  { amount, merchant, merchantCategory = RETAIL }: { amount: string; merchant?: string; merchantCategory?: string },
) {
  const { cardId, companyId } = requireFound(await findIssuedCard(deps.db, card === 'newest' ? null : card))
  const at = deps.clock.now()
  const data = {
    cardId,
    transactionId: `pay_${newId(at).replaceAll('-', '')}`,
    type: 'purchase',
    status: 'settled',
    amount: `-${amount}`,
    currency: 'USD',
    ...(merchant === undefined ? {} : { merchant }),
    // An issuer of protocol 1.0 does not know the field.
    ...(deps.behaviour.protocol === '1.0' ? {} : { merchantCategory }),
    occurredAt: at.toISOString(),
  } as const
  return { eventId: await queueEvent(deps, { type: 'card.transaction', companyId, data }), ...data }
}

function requireSecret({ secret }: Pick<ReferenceDeps, 'secret'>, authorization: string | undefined): void {
  requireControlSecret(secret, authorization)
}
