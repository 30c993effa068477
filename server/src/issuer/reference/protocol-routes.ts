// The reference issuer's side of the protocol: PUT and GET /v1/requests/{token}, GET /v1/book. Its answers are signed, unless
// it was told to misbehave.
import { Readable } from 'node:stream'
import type { Db } from '../../db/pool.ts'
import { ApiError, notFound } from '../../errors.ts'
import { type Answer, publicRoute, type Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId, formatId, ZERO_ID } from '../../lib/ids.ts'
import { formatMicros } from '../../tron/usdt.ts'
import {
  About,
  ABOUT_PATH,
  Book,
  BOOK_PAGE_MAX,
  type BookRecord,
  BookQuery,
  FenceAnswer,
  FenceBody,
  RequestAnswer,
  RequestBody,
  SIGNATURE_HEADER,
  TokenParams,
} from '../http/protocol.ts'
import { findForgery, sign } from '../http/signature.ts'
import type { Behaviour, Rule } from './behaviour.ts'
import type { MakeInvoice } from './invoices.ts'
import { fence, perform } from './perform.ts'
import { findRequest, insertArrival, listRequests, type RequestRow } from './queries.ts'

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** It takes any deposit, and keeps a balance for each card. */
const ABOUT = { invoiceMinimum: '1.00', cardModes: ['balance'] }
/** Longer than any caller waits. */
const HANG_MS = 150_000

export interface ReferenceDeps {
  db: Db
  clock: Clock
  secret: string
  behaviour: Behaviour
  makeInvoice: MakeInvoice
}

interface Incoming {
  readonly method: string
  readonly url: string
  readonly rawBody: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export function protocolRoutes(deps: ReferenceDeps): Route[] {
  const { db, clock, behaviour } = deps
  const tag = 'issuer'
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
      handle: async ({ params: { token }, body, ...call }) => {
        const answers = requireSignature(deps, { ...call, method: 'PUT' })
        requireKnownFields(behaviour, body)
        const rule = behaviour.next(body.kind)
        await insertArrival(db, { token, kind: body.kind, mode: rule.mode, at: clock.now() })
        const isIdle = rule.mode === 'hang' || rule.mode === 'fail' || rule.mode === 'garbage'
        if (isIdle) return misbehave(deps, rule, answers, undefined)
        const refuse = rule.mode === 'refuse' || !behaviour.kinds.includes(body.kind)
        const answer = await perform(deps, token, body, { refuse })
        if (answer === undefined) throw new ApiError('event_conflict', 'The token is known with other content.')
        return misbehave(deps, rule, answers, answer)
      },
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
      handle: async ({ params: { token }, ...call }) => {
        const answers = requireSignature(deps, { ...call, method: 'GET' })
        const rule = behaviour.next('look_up')
        await insertArrival(db, { token, kind: 'look_up', mode: rule.mode, at: clock.now() })
        const known = await findRequest(db, token)
        const isDown = rule.mode === 'hang' || rule.mode === 'fail'
        if (isDown) return misbehave(deps, rule, answers, undefined)
        if (known === undefined || known.kind === 'fence') return notFoundAnswer(deps, answers)
        return misbehave(deps, rule, answers, known.answer)
      },
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
      handle: async ({ params: { token }, body, ...call }) => {
        const answers = requireSignature(deps, { ...call, method: 'POST' })
        const rule = behaviour.next('look_up')
        await insertArrival(db, { token, kind: 'look_up', mode: rule.mode, at: clock.now() })
        const companyId = findId('co', body.companyId)
        if (rule.mode === 'hang' || rule.mode === 'fail') return misbehave(deps, rule, answers, undefined)
        if (!behaviour.hasFence || companyId === undefined) return notFoundAnswer(deps, answers)
        return misbehave(deps, rule, answers, await fence(deps, token, companyId))
      },
    }),
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
        const answers = requireSignature(deps, { ...call, method: 'GET' })
        if (behaviour.protocol === '1.0') throw notFound()
        const { kinds, hasFence } = behaviour
        const { provider, mode } = behaviour
        const about = { protocol: '1.1', provider, mode, kinds, fence: hasFence, ...ABOUT }
        return signed(deps, 200, answers, JSON.stringify(about))
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
        const answers = requireSignature(deps, { ...call, method: 'GET' })
        const companyId = query.companyId === undefined ? null : (findId('co', query.companyId) ?? ZERO_ID)
        const { after = ZERO_ID, until = LAST, limit = BOOK_PAGE_MAX } = query
        const rows = await listRequests(db, { companyId, after, until, limit })
        return signed(deps, 200, answers, JSON.stringify({ data: rows.map(toRecord) }))
      },
    }),
  ]
}

/** An issuer of protocol 1.0 may refuse what it does not know. This one does, to show that it is not sent. */
function requireKnownFields({ protocol }: Behaviour, body: RequestBody): void {
  if (protocol === '1.0' && body.kind === 'issue' && (body.cardId ?? body.holder) !== undefined) {
    throw new ApiError('validation_failed', 'cardId and holder are not fields of an issue.')
  }
}

/** Signed, so that the server can distinguish it from the answer of a proxy in between. */
function notFoundAnswer(deps: ReferenceDeps, answers: string): Answer {
  return signed(deps, 404, answers, JSON.stringify({ message: 'This token is not known.' }))
}

function requireSignature({ secret, clock }: ReferenceDeps, { method, url, rawBody, headers }: Incoming): string {
  const header = headers[SIGNATURE_HEADER]
  const given = typeof header === 'string' ? header : undefined
  const message = { direction: 'request', method, path: url, body: rawBody } as const
  const forgery = findForgery(secret, clock.now(), given, message)
  if (forgery !== undefined || given === undefined) {
    throw new ApiError('invalid_issuer_signature', `The ${SIGNATURE_HEADER} header is ${forgery}.`)
  }
  return given.slice(given.indexOf('v1=') + 3)
}

function signed({ secret, clock }: ReferenceDeps, status: number, answers: string, body: string): Answer {
  const signature = sign(secret, clock.now(), { direction: 'answer', status, answers, body })
  return { status, body, headers: { ...JSON_TYPE, [SIGNATURE_HEADER]: signature } }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

async function misbehave(
  deps: ReferenceDeps,
  { mode, delayMs }: Rule,
  answers: string,
  answer: FenceAnswer | undefined,
): Promise<Answer> {
  const text = JSON.stringify(answer ?? {})
  switch (mode) {
    case 'normal':
    case 'refuse':
      return signed(deps, 200, answers, text)
    case 'delay':
      await pause(delayMs)
      return signed(deps, 200, answers, text)
    case 'hang':
    case 'act_then_hang':
      await pause(HANG_MS)
      return signed(deps, 200, answers, text)
    case 'fail':
    case 'act_then_fail':
      return signed(deps, 500, answers, '{"message":"told to fail"}')
    case 'garbage':
    case 'act_then_garbage':
      return signed(deps, 200, answers, '{"outcome":"done","token":"\\u0000')
    case 'act_then_cut':
      return { status: 200, body: cut(), headers: { ...JSON_TYPE, 'content-length': '100' } }
    case 'unsigned':
      return { status: 200, body: text, headers: JSON_TYPE }
    case 'wrong_amount':
      return signed(deps, 200, answers, JSON.stringify({ ...answer, amount: '0.01', token: LAST }))
  }
}

/** Begins an answer and breaks the connection. */
function cut(): Readable {
  return Readable.from(
    (async function* () {
      yield '{"outcome":'
      await pause(10)
      throw new Error('told to cut the answer')
    })(),
  )
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function toRecord(row: RequestRow & { received: bigint | null }): BookRecord {
  return {
    token: row.token,
    companyId: formatId('co', row.company_id),
    kind: row.kind,
    outcome: row.answer.outcome,
    amount: 'amount' in row.content ? row.content.amount : null,
    received: row.received === null ? null : formatMicros(row.received),
  }
}
