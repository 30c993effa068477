// The live issuer over HTTP. It sends a request once and checks the answer strictly: only a signed, valid answer with our
// token, kind and amount counts. Everything else is an unknown outcome.
import { createCheck } from '../../http/validate.ts'
import { formatId } from '../../lib/ids.ts'
import { invariant } from '../../lib/invariant.ts'
import { type Cents, formatCents } from '../../lib/money.ts'
import { parseMicros } from '../../tron/usdt.ts'
import type {
  InvoiceOutcome,
  IssueCardRequest,
  Issuer,
  IssuerOutcome,
  IssuerRequest,
  LookUpRequest,
  OnlyOfLookUps,
  Unknown,
} from '../port.ts'
import type { AboutSource, KnownAbout } from './about.ts'
import { type Expected, findMismatch, outcomeOf } from './answer.ts'
import { exchange, type Exchanged, type Peer } from './exchange.ts'
import {
  Book,
  type BookRecord,
  FenceAnswer,
  type NumberPage,
  type RequestAnswer,
  type RequestBody,
} from './protocol.ts'
import { type HolderOf, readHolderDetails, sendHolderDetails } from './holder-details.ts'
import type { HolderDetailsAnswer, HolderDetailsBody, IssuerHolderDetails } from './holder-details-schema.ts'
import { readNumberPage } from './number-page.ts'
import { readState } from './state.ts'
import type { IssuerState } from './state-schema.ts'
import { loadClient } from './transmit.ts'

/** The first look-ups are made soon, because most late answers come soon; the later ones wait for an issuer that is down. After
 * ten minutes a person decides. */
export const LOOK_UP_DELAYS_MS: readonly number[] = [1_000, 5_000, 30_000, 120_000, 480_000]
/** How much of an answer that was not understood is stored. */
const EXCERPT_LENGTH = 2_000
/** A person waits for it. */
const STATE_TIMEOUT_MS = 8_000

const isAnswer = createCheck(FenceAnswer)
const isBook = createCheck(Book)

export interface HttpIssuerOptions extends Peer {
  readonly invoiceMinimum: Cents
  readonly callsMax: number
  /** The issuer promises to refuse a token once it was fenced. An issuer of protocol 1.1 says so itself. */
  readonly hasFence: boolean
  /** What the issuer says about itself. */
  readonly about: AboutSource
  readonly lookUpDelaysMs?: readonly number[]
}

export interface HttpIssuer extends Issuer {
  readonly about: AboutSource
  /** Returns the issuer's records in the order of their tokens, or undefined if they could not be read. */
  readBook(query: BookRange): Promise<BookRecord[] | undefined>
  /** Returns the address of a page with the number of a card, `not_offered`, or undefined if the issuer does not answer. */
  readNumberPage(card: { cardId: string; companyId: string }): Promise<NumberPage | 'not_offered' | undefined>
  /** Returns what the issuer needs to know of a holder, `not_offered`, or undefined if the issuer does not answer. */
  readHolderDetails(holder: HolderOf): Promise<IssuerHolderDetails | 'not_offered' | undefined>
  /** Returns what the issuer says to the details, `not_offered`, or undefined if it is not known whether they arrived. */
  sendHolderDetails(holderId: string, body: HolderDetailsBody): Promise<HolderDetailsAnswer | 'not_offered' | undefined>
  /** Returns how the issuer stands, `not_offered` if it does not say that, or undefined if it does not answer. */
  readState(): Promise<IssuerState | 'not_offered' | undefined>
}

export interface BookRange {
  companyId?: string
  after?: string
  until?: string
  limit: number
}

export function createHttpIssuer(options: HttpIssuerOptions): HttpIssuer {
  void loadClient()
  const { about } = options
  const ask = async (token: string, body: RequestBody, amount?: Cents, timeoutMs = options.timeoutMs) => {
    const peer = { ...options, timeoutMs }
    const exchanged = await exchange(peer, 'request', { method: 'PUT', path: `/v1/requests/${token}`, body })
    return asRequest(read(exchanged, { token, kinds: [body.kind], amount }))
  }
  return {
    async issueCard(request) {
      const startedMs = performance.now()
      const body = issueBody(await about.read(), request)
      if (typeof body === 'string') return { kind: 'not_sent', reason: body }
      const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - startedMs))
      return toOutcome(await ask(request.token, body, request.amount, timeoutMs))
    },
    async topUpCard(request) {
      const cardId = formatId('card', request.cardId)
      return toOutcome(await ask(request.token, { kind: 'topup', ...ordered(request), cardId }, request.amount))
    },
    async orderService(request) {
      const { token, amount, recipient } = request
      return toOutcome(await ask(token, { kind: 'service', ...ordered(request), recipient }, amount))
    },
    async setCardStatus({ scope, token, status, ...request }) {
      const companyId = formatId('co', scope.companyId)
      const cardId = formatId('card', request.cardId)
      return toOutcome(await ask(token, { kind: 'card_status', companyId, cardId, status }))
    },
    async createInvoice({ scope, token, amount }) {
      const companyId = formatId('co', scope.companyId)
      return toInvoiceOutcome(await ask(token, { kind: 'invoice', companyId, amount: formatCents(amount) }, amount))
    },
    async lookUp(request) {
      const { token, amount, kind = 'card_status' } = request
      return asLookUp(await lookUp(options, request, { token, kinds: [kind], amount }), toOutcome)
    },
    async lookUpInvoice(request) {
      const { token, amount } = request
      return asLookUp(await lookUp(options, request, { token, kinds: ['invoice'], amount }), toInvoiceOutcome)
    },
    readBook: (query) => readBook(options, query),
    ...callsForPeople({ ...options, timeoutMs: Math.min(options.timeoutMs, STATE_TIMEOUT_MS) }),
    lookUpDelaysMs: options.lookUpDelaysMs ?? LOOK_UP_DELAYS_MS,
    callsMax: options.callsMax,
    isInProcess: false,
    get invoiceMinimum() {
      return minimumOf(about.known(), options)
    },
    offers(kind) {
      // What is known decides now. An answer that is old, or missing, is replaced for the next time.
      void about.read()
      return about.known()?.kinds.includes(kind) ?? true
    },
    about,
  }
}

type CallForPeople = 'readNumberPage' | 'readHolderDetails' | 'sendHolderDetails' | 'readState'

function callsForPeople(peer: Peer): Pick<HttpIssuer, CallForPeople> {
  return {
    readNumberPage: (card) => readNumberPage(peer, card),
    readHolderDetails: (holder) => readHolderDetails(peer, holder),
    sendHolderDetails: (holderId, body) => sendHolderDetails(peer, holderId, body),
    readState: () => readState(peer),
  }
}

async function lookUp(options: HttpIssuerOptions, { scope, isLast }: LookUpRequest, expected: Expected): Promise<Read> {
  const path = `/v1/requests/${expected.token}`
  // Just after a start the issuer may not have said yet whether it fences, and without a fence a person would have to decide.
  const hasFence = options.hasFence || (isLast && (await options.about.read())?.fence === true)
  if (!isLast || !hasFence) return read(await exchange(options, 'request', { method: 'GET', path }), expected)
  const body = { companyId: formatId('co', scope.companyId) }
  const fenced = await exchange(options, 'request', { method: 'POST', path: `${path}/fence`, body })
  return read(fenced, expected, true)
}

function ordered({ scope, amount, productId }: IssuerRequest) {
  return { companyId: formatId('co', scope.companyId), amount: formatCents(amount), productId }
}

/** Returns what is sent to issue a card, or why it cannot be sent. */
function issueBody(about: KnownAbout | undefined, request: IssueCardRequest): RequestBody | string {
  if (about === undefined) return 'the issuer does not say which protocol it speaks'
  const { holder, name } = request
  const body = { kind: 'issue', ...ordered(request), holderId: formatId('hld', request.holderId), name } as const
  // An issuer of protocol 1.0 may refuse fields that it does not know.
  if (about.protocol === '1.0') return body
  if (holder === undefined) return 'the cardholder could not be read'
  return { ...body, cardId: formatId('card', request.cardId), holder }
}

/** Returns the larger of what the operator allows and what the issuer takes. */
function minimumOf(about: KnownAbout | undefined, { invoiceMinimum }: HttpIssuerOptions): Cents {
  const said = about?.invoiceMinimum ?? invoiceMinimum
  return said > invoiceMinimum ? said : invoiceMinimum
}

type Read =
  | { readonly kind: 'answer'; readonly answer: RequestAnswer }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | (Unknown & { readonly received?: unknown })
  /** Only a look-up with a fence gets this answer. */
  | { readonly kind: 'absent'; readonly received: unknown }

type ReadRequest = Exclude<Read, { kind: 'absent' }>

const NOT_FOUND = 404

function read(exchanged: Exchanged, expected: Expected, isFence = false): Read {
  if (exchanged.kind !== 'answered') return exchanged
  const received = { status: exchanged.status, body: exchanged.body.slice(0, EXCERPT_LENGTH) }
  const unknown = (reason: string): Read => ({ kind: 'unknown', reason, received })
  // The issuer is in service and does not know the token. The request may still arrive.
  if (exchanged.status === NOT_FOUND)
    return { kind: 'unknown', reason: 'the issuer does not know this token', answered: true, received }
  if (exchanged.status !== 200) return unknown(`the issuer answered with status ${exchanged.status}`)
  const answer = findValid(isAnswer, exchanged.body)
  if (answer === undefined) return unknown('the answer is malformed')
  const mismatch = findMismatch(answer, expected)
  if (mismatch !== undefined) return unknown(mismatch)
  if (answer.outcome !== 'absent') return { kind: 'answer', answer }
  return isFence ? { kind: 'absent', received: answer } : unknown('the answer is malformed')
}

function asRequest(result: Read): ReadRequest {
  invariant(result.kind !== 'absent', 'only a fence is answered with absent')
  return result
}

function toOutcome(result: ReadRequest): IssuerOutcome {
  return result.kind === 'answer' ? outcomeOf(result.answer) : result
}

function toInvoiceOutcome(result: ReadRequest): InvoiceOutcome {
  if (result.kind !== 'answer') return result
  const { answer } = result
  const received = answer
  if (answer.outcome === 'refused') return { kind: 'declined', code: answer.code, message: answer.message, received }
  if (answer.kind !== 'invoice') return { kind: 'unknown', reason: 'the answer is not about an invoice', received }
  const { address, payAmount, expiresAt } = answer
  return { kind: 'confirmed', address, payAmount: parseMicros(payAmount), expiresAt: new Date(expiresAt), received }
}

/** A look-up that was not sent is not an answer; it is made later. */
function asLookUp<Outcome extends IssuerOutcome | InvoiceOutcome>(
  result: Read,
  toOutcomeOf: (result: ReadRequest) => Outcome,
): Exclude<Outcome, { kind: 'not_sent' }> | OnlyOfLookUps {
  if (result.kind === 'absent') return result
  if (result.kind === 'not_sent') return { kind: 'not_asked', reason: result.reason }
  return toOutcomeOf(result) as Exclude<Outcome, { kind: 'not_sent' }>
}

async function readBook(peer: Peer, query: BookRange): Promise<BookRecord[] | undefined> {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  const exchanged = await exchange(peer, 'request', { method: 'GET', path: `/v1/book?${parameters.toString()}` })
  if (exchanged.kind !== 'answered' || exchanged.status !== 200) return undefined
  return findValid(isBook, exchanged.body)?.data
}

/** Returns undefined if the text is not JSON that matches the schema. */
function findValid<Value>(isValid: (value: unknown) => value is Value, text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}
