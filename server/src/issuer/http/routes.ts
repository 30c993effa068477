// The issuer's side of the protocol: PUT and GET /v1/requests/{token}, its fence, GET /v1/about and GET /v1/book. Requests without a valid
// signature are refused here, and answers are signed; what they say is the business of the issuer behind it.
import { ApiError, notFound } from '../../errors.ts'
import { type Answer, publicRoute, type Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { field, object } from '../../lib/wire.ts'
import {
  About,
  ABOUT_PATH,
  Book,
  BookQuery,
  FenceAnswer,
  FenceBody,
  NumberPage,
  NumberPageBody,
  RequestAnswer,
  RequestBody,
  SIGNATURE_HEADER,
  TokenParams,
} from './protocol.ts'
import {
  HolderDetailsAnswer,
  HolderDetailsBody,
  HolderParams,
  HolderQuery,
  IssuerHolderDetails,
} from './holder-details-schema.ts'
import { findForgery, sign } from './signature.ts'
import { IssuerState, STATE_PATH } from './state-schema.ts'
import { type Static, Type } from 'typebox'

/** Makes an answer to the request that is being answered, so that the server can distinguish it from the answer of a proxy in between. */
export type Sign = (status: number, body: string) => Answer

/** What answers the requests. */
export interface ProtocolServer {
  put(token: string, body: RequestBody, sign: Sign): Promise<Answer>
  lookUp(token: string, sign: Sign): Promise<Answer>
  fence(token: string, companyId: string, sign: Sign): Promise<Answer>
  /** Undefined: it speaks version 1.0, which has no such call. */
  about(): Promise<Static<typeof About> | undefined>
  readBook(query: Static<typeof BookQuery>): Promise<Static<typeof Book>>
  /** Undefined: there is no such card of the company, or no such page. */
  numberPage(cardId: string, companyId: string): Promise<NumberPage | undefined>
  /** Undefined: the holder is another company's. */
  readHolderDetails(holderId: string, companyId: string): Promise<IssuerHolderDetails | undefined>
  storeHolderDetails(holderId: string, body: HolderDetailsBody): Promise<HolderDetailsAnswer | undefined>
  /** Undefined: it does not say. */
  state(): Promise<IssuerState | undefined>
}

export interface ProtocolDeps {
  readonly clock: Clock
  readonly secret: string
}

interface Incoming {
  readonly method: string
  readonly url: string
  readonly rawBody: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export function protocolRoutes(deps: ProtocolDeps, server: ProtocolServer): Route[] {
  return [...requestRoutes(deps, server), ...readingRoutes(deps, server), ...holderRoutes(deps, server)]
}

const tag = 'issuer'
const CardParams = object({ cardId: field(Type.String({ pattern: '^card_[0-9a-f]{32}$' }), 'The id of the card.') })

function requestRoutes(deps: ProtocolDeps, server: ProtocolServer): Route[] {
  return [
    publicRoute({
      method: 'PUT',
      path: '/v1/requests/:token',
      tag,
      id: 'putRequest',
      summary: 'Carry out a request',
      description:
        'Carries out a request, at most once for each token. The same token with the same body gets the same answer.',
      refusals: ['invalid_issuer_signature', 'event_conflict'],
      keepsRawBody: true,
      params: TokenParams,
      body: RequestBody,
      responses: { 200: RequestAnswer },
      handle: ({ params: { token }, body, ...call }) =>
        server.put(token, body, requireSignature(deps, { ...call, method: 'PUT' })),
    }),
    publicRoute({
      method: 'GET',
      path: '/v1/requests/:token',
      tag,
      id: 'getRequest',
      summary: 'Look up a request',
      description: 'Returns what became of a request. It changes nothing.',
      refusals: ['invalid_issuer_signature'],
      params: TokenParams,
      responses: { 200: RequestAnswer },
      handle: ({ params: { token }, ...call }) =>
        server.lookUp(token, requireSignature(deps, { ...call, method: 'GET' })),
    }),
    publicRoute({
      method: 'POST',
      path: '/v1/requests/:token/fence',
      tag,
      id: 'fenceRequest',
      summary: 'Look up a request and fence its token',
      description:
        'Returns what became of a request. When the token is not known, a request with it is refused from now on. Optional: an issuer without it answers 404.',
      refusals: ['invalid_issuer_signature'],
      keepsRawBody: true,
      params: TokenParams,
      body: FenceBody,
      responses: { 200: FenceAnswer },
      handle: ({ params: { token }, body, ...call }) =>
        server.fence(token, body.companyId, requireSignature(deps, { ...call, method: 'POST' })),
    }),
  ]
}

function readingRoutes(deps: ProtocolDeps, server: ProtocolServer): Route[] {
  return [
    publicRoute({
      method: 'GET',
      path: ABOUT_PATH,
      tag,
      id: 'about',
      summary: 'Say what the issuer can do',
      description:
        'Returns which version of the protocol the issuer speaks and what it can do. The server reads it when it starts and every ten minutes. Since protocol 1.1: an issuer of 1.0 answers 404.',
      refusals: ['invalid_issuer_signature'],
      responses: { 200: About },
      handle: async (call) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'GET' })
        const about = await server.about()
        if (about === undefined) throw notFound()
        return signAnswer(200, JSON.stringify(about))
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/v1/book',
      tag,
      id: 'readBook',
      summary: 'Read the book',
      description: 'Lists what was carried out or refused, in the order of the tokens, for reconciliation.',
      refusals: ['invalid_issuer_signature'],
      query: BookQuery,
      responses: { 200: Book },
      handle: async ({ query, ...call }) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'GET' })
        return signAnswer(200, JSON.stringify(await server.readBook(query)))
      },
    }),
    publicRoute({
      method: 'POST',
      path: '/v1/cards/:cardId/number-page',
      tag,
      id: 'makeNumberPage',
      summary: 'Make a page that shows the number of a card',
      description:
        'Returns the address of a page of the provider, which works for a short time. Nothing is changed. Optional, since protocol 1.1: an issuer without it answers 404, and so it does for a card that the company does not have.',
      refusals: ['invalid_issuer_signature'],
      keepsRawBody: true,
      params: CardParams,
      body: NumberPageBody,
      responses: { 200: NumberPage },
      handle: async ({ params: { cardId }, body, ...call }) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'POST' })
        const page = await server.numberPage(cardId, body.companyId)
        if (page === undefined) return signAnswer(404, JSON.stringify({ message: 'There is no such page.' }))
        return signAnswer(200, JSON.stringify(page))
      },
    }),
    publicRoute({
      method: 'GET',
      path: STATE_PATH,
      tag,
      id: 'readState',
      summary: 'Say how the issuer stands',
      description:
        'Returns what waits for somebody, how far events and blocks were read, and the sums that an operator watches. Optional, since protocol 1.1: an issuer without it answers 404.',
      refusals: ['invalid_issuer_signature'],
      responses: { 200: IssuerState },
      handle: async (call) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'GET' })
        const state = await server.state()
        if (state === undefined) throw notFound()
        return signAnswer(200, JSON.stringify(state))
      },
    }),
  ]
}

function holderRoutes(deps: ProtocolDeps, server: ProtocolServer): Route[] {
  const answer = (signAnswer: Sign, found: object | undefined) =>
    found === undefined
      ? signAnswer(404, JSON.stringify({ message: 'There is no such holder.' }))
      : signAnswer(200, JSON.stringify(found))
  return [
    publicRoute({
      method: 'GET',
      path: '/v1/holders/:holderId/details',
      tag,
      id: 'readHolderDetails',
      summary: 'Say what the issuer needs to know of a cardholder',
      description:
        'Returns the fields that a person has to fill in, and when that was done last; never what was entered. Optional, since protocol 1.1: an issuer without it answers 404, and so it does for a holder of another company.',
      refusals: ['invalid_issuer_signature'],
      params: HolderParams,
      query: HolderQuery,
      responses: { 200: IssuerHolderDetails },
      handle: async ({ params: { holderId }, query: { companyId }, ...call }) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'GET' })
        return answer(signAnswer, await server.readHolderDetails(holderId, companyId))
      },
    }),
    publicRoute({
      method: 'PUT',
      path: '/v1/holders/:holderId/details',
      tag,
      id: 'putHolderDetails',
      summary: 'Take what the issuer needs to know of a cardholder',
      description:
        'Stores the details of a cardholder, all at once, or says field by field what is wrong. An empty list removes them. They are used when the next card is issued. Optional, as reading them is.',
      refusals: ['invalid_issuer_signature'],
      keepsRawBody: true,
      params: HolderParams,
      body: HolderDetailsBody,
      responses: { 200: HolderDetailsAnswer },
      handle: async ({ params: { holderId }, body, ...call }) => {
        const signAnswer = requireSignature(deps, { ...call, method: 'PUT' })
        return answer(signAnswer, await server.storeHolderDetails(holderId, body))
      },
    }),
  ]
}

/** For an answer whose signature is the matter of a test. */
export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Signed, because only then it counts as an answer of the issuer. */
export function notFoundAnswer(signAnswer: Sign): Answer {
  return signAnswer(404, JSON.stringify({ message: 'This token is not known.' }))
}

function requireSignature({ secret, clock }: ProtocolDeps, { method, url, rawBody, headers }: Incoming): Sign {
  const header = headers[SIGNATURE_HEADER]
  const given = typeof header === 'string' ? header : undefined
  const message = { direction: 'request', method, path: url, body: rawBody } as const
  const forgery = findForgery(secret, clock.now(), given, message)
  if (forgery !== undefined || given === undefined) {
    throw new ApiError('invalid_issuer_signature', `The ${SIGNATURE_HEADER} header is ${forgery}.`)
  }
  const answers = given.slice(given.indexOf('v1=') + 3)
  return (status, body) => {
    const signature = sign(secret, clock.now(), { direction: 'answer', status, answers, body })
    return { status, body, headers: { ...JSON_TYPE, [SIGNATURE_HEADER]: signature } }
  }
}
