// POST /issuer/v1/events: what the live issuer tells by itself. Only a message with a fresh and right signature is looked
// at, and its answer is signed, so that the issuer can tell a refusal from that of a proxy; a message that came before is answered the same and
// changes nothing.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Db } from '../../db/pool.ts'
import { ApiError, notFound } from '../../errors.ts'
import { ok, publicRoute, type Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId } from '../../lib/ids.ts'
import type { Scope } from '../../lib/scope.ts'
import { findIssuerEvent, insertIssuerEvent } from '../queries.ts'
import {
  type CardStatusChanged,
  type CardTransaction,
  EventTaken,
  type InvoiceSettled,
  IssuerEvent,
  type OperationCompleted,
  type OperationFailed,
} from './event-schema.ts'
import { EVENTS_PATH, SIGNATURE_HEADER } from './protocol.ts'
import { findForgery, sign } from './signature.ts'

/** `later`: cannot be taken yet, send it again. `conflict`: it contradicts what is known, and is refused for good. */
export type Taken = 'taken' | 'later' | 'not_found' | 'conflict'

/** Each must be harmless when called twice with the same event: the process may die before the event is remembered. */
export interface IssuerEventHandlers {
  invoiceSettled(scope: Scope, data: InvoiceSettled['data']): Promise<Taken>
  cardTransaction(scope: Scope, event: CardTransaction): Promise<Taken>
  cardStatus(scope: Scope, event: CardStatusChanged): Promise<Taken>
  operationOutcome(scope: Scope, event: OperationCompleted | OperationFailed): Promise<Taken>
}

interface Deps {
  db: Db
  clock: Clock
  /** Undefined without a live issuer: then nobody has a right signature. */
  issuerSecret: string | undefined
  issuerEvents: IssuerEventHandlers
}

export function issuerEventRoutes(deps: Deps): Route[] {
  return [
    publicRoute({
      method: 'POST',
      path: EVENTS_PATH,
      tag: 'issuer',
      id: 'receiveIssuerEvent',
      summary: 'Receive an event of the live issuer',
      description:
        'The live issuer reports payments of invoices, card payments, changes of cards and late outcomes of requests here. The signature is verified before anything else; an event that was received before changes nothing. Once it is verified, the answer is signed, a refusal too. Only a signed 400, 404 or 409 is final.',
      refusals: ['invalid_issuer_signature', 'event_conflict', 'not_found'],
      keepsRawBody: true,
      // Before the body is parsed, so that a stranger's body costs no more than its digest.
      checkRawBody: (headers, rawBody) => requireSignature(deps, headers, rawBody),
      body: IssuerEvent,
      responses: { 200: EventTaken },
      handle: async ({ body, rawBody, headers }) => {
        // Once more, beside what it protects: nothing may be taken without it, however this is called.
        requireSignature(deps, headers, rawBody)
        await take(deps, body, createHash('sha256').update(rawBody).digest())
        return ok({ received: true })
      },
      signAnswer: ({ headers, rawBody }, answer) => signAnswer(deps, findSignature(deps, headers, rawBody), answer),
    }),
  ]
}

type Signature =
  | { readonly secret: string; readonly answers: string }
  /** Why the message cannot be trusted. */
  | { readonly forgery: string }

function findSignature({ clock, issuerSecret }: Deps, headers: IncomingHttpHeaders, body: string): Signature {
  const given = headers[SIGNATURE_HEADER]
  const header = typeof given === 'string' ? given : undefined
  const message = { direction: 'event', method: 'POST', path: EVENTS_PATH, body } as const
  const forgery = issuerSecret === undefined ? 'wrong' : findForgery(issuerSecret, clock.now(), header, message)
  if (issuerSecret !== undefined && header !== undefined && forgery === undefined) {
    return { secret: issuerSecret, answers: header.slice(header.indexOf('v1=') + 3) }
  }
  return { forgery: forgery ?? 'missing' }
}

function requireSignature(deps: Deps, headers: IncomingHttpHeaders, body: string): void {
  const signature = findSignature(deps, headers, body)
  if (!('forgery' in signature)) return
  throw new ApiError(
    'invalid_issuer_signature',
    `The ${SIGNATURE_HEADER} header is ${signature.forgery}. Sign the exact body with ISSUER_SECRET, with the current time.`,
  )
}

async function take({ db, clock, issuerEvents }: Deps, event: IssuerEvent, digest: Buffer): Promise<void> {
  const known = await findIssuerEvent(db, event.id)
  if (known !== undefined) {
    if (known.digest.equals(digest)) return
    throw new ApiError('event_conflict', 'An event with this id and another body was already accepted.')
  }
  const companyId = findId('co', event.companyId)
  if (companyId === undefined) throw notFound()
  switch (await dispatch(issuerEvents, { companyId, environment: 'live' }, event)) {
    case 'taken':
      await insertIssuerEvent(db, { id: event.id, type: event.type, digest, received_at: clock.now() })
      return
    case 'later':
      throw new ApiError('unavailable', 'This event cannot be accepted yet. Send it again in a moment.', {
        headers: { 'retry-after': '1' },
      })
    case 'not_found':
      throw notFound()
    case 'conflict':
      throw new ApiError('event_conflict', 'This event contradicts what is known here. It changed nothing.')
  }
}

function dispatch(handlers: IssuerEventHandlers, scope: Scope, event: IssuerEvent): Promise<Taken> {
  switch (event.type) {
    case 'invoice.settled':
      return handlers.invoiceSettled(scope, event.data)
    case 'card.transaction':
      return handlers.cardTransaction(scope, event)
    case 'card.status':
      return handlers.cardStatus(scope, event)
    case 'operation.completed':
    case 'operation.failed':
      return handlers.operationOutcome(scope, event)
  }
}

/** Whoever does not know the secret gets no signature. */
function signAnswer({ clock }: Deps, signature: Signature, answer: { status: number; body: string }) {
  if ('forgery' in signature) return {}
  const { secret, answers } = signature
  return { [SIGNATURE_HEADER]: sign(secret, clock.now(), { direction: 'answer', ...answer, answers }) }
}
