// How the kernel answers the protocol: it stores a request, carries it out, and answers when the outcome is certain. In doubt it says that
// it does not know, and the server looks the request up.
import type { Db } from '../../db/pool.ts'
import { ApiError } from '../../errors.ts'
import type { Answer } from '../../http/route.ts'
import type { FenceAnswer, RequestBody } from '../../issuer/http/protocol.ts'
import { canonicalJson } from '../../lib/digest.ts'
import { findId, formatId } from '../../lib/ids.ts'
import { readBook } from '../records/book.ts'
import { notFoundAnswer, type ProtocolServer, type Sign } from '../../issuer/http/routes.ts'
import { answerHolderDetails, type HolderDetailsDeps } from '../holder-details/answer.ts'
import { findRequest } from '../records/queries.ts'
import type { MakeInvoice } from '../reference/invoices.ts'
import { DECLINED, perform } from '../reference/perform.ts'
import { readState, type StateDeps } from '../state.ts'
import { carryOut, type KernelDeps } from './carry-out.ts'
import { findCardOf, findHolderOwner } from './objects/queries.ts'
import { fenceRequest, takeRequest } from './queries.ts'

/** Longer than all calls of a request together. After it another process may go on with a request whose process died. */
export const LEASE_MS = 120_000
/** Shorter than a server waits for an answer, which is 30 s unless it is set otherwise. */
const ANSWER_MAX_MS = 20_000
/** How often a waiting call looks whether the answer is there. */
const LOOK_MS = 100

export interface KernelServerDeps extends KernelDeps, StateDeps {
  /** Undefined: nobody makes invoices. */
  readonly makeInvoice: MakeInvoice | undefined
  readonly invoiceMinimum: string
  /** Waits in real time. */
  pause(ms: number): Promise<void>
}

export function createKernelServer(deps: KernelServerDeps): ProtocolServer {
  const { db, clock, provider, makeInvoice } = deps
  const { about } = provider
  const kinds = [...about.kinds, ...(makeInvoice === undefined ? [] : (['invoice'] as const))]
  return {
    async put(token, body, sign) {
      const companyId = findId('co', body.companyId)
      if (companyId === undefined) throw new ApiError('validation_failed', 'companyId is not the id of a company.')
      if (body.kind === 'invoice' || !(kinds as string[]).includes(body.kind)) {
        return reply(sign, await putOther(deps, token, body, kinds.includes('invoice')), token, body)
      }
      const leasedUntil = new Date(clock.now().getTime() + LEASE_MS)
      const taken = await takeRequest(db, { token, companyId, body }, clock.now(), leasedUntil)
      if (taken.answer?.outcome !== 'absent' && canonicalJson(taken.content) !== canonicalJson(body)) throw conflict()
      if (taken.answer !== null) return reply(sign, taken.answer, token, body)
      const carried = taken.is_new ? await carryOut(deps, token, { isLate: false }) : 'later'
      return reply(sign, carried === 'later' ? await awaitAnswer(deps, token) : answerOf(carried), token, body)
    },
    async lookUp(token, sign) {
      const known = await findRequest(db, token)
      if (known === undefined || known.answer?.outcome === 'absent') return notFoundAnswer(sign)
      return reply(sign, known.answer ?? undefined, token, undefined)
    },
    async fence(token, company, sign) {
      const companyId = findId('co', company)
      if (companyId === undefined) return notFoundAnswer(sign)
      const content = { companyId: formatId('co', companyId) }
      return reply(
        sign,
        (await fenceRequest(db, { token, companyId }, content, clock.now())) ?? undefined,
        token,
        undefined,
      )
    },
    async about() {
      const { provider: name, mode, cardMode } = about
      const { invoiceMinimum } = deps
      const numberPage = provider.numberPage !== undefined
      return {
        protocol: '1.1',
        provider: name,
        mode,
        kinds,
        fence: true,
        invoiceMinimum,
        cardModes: [cardMode],
        numberPage,
        holderDetails: true,
      }
    },
    ...answerHolderDetails({ db, clock, fields: () => provider.holderFields, findEnrolment: findEnrolment(db) }),
    numberPage: (cardId, companyId) => makeNumberPage(deps, cardId, companyId),
    readBook: (query) => readBook(db, query),
    state: () => readState(deps),
  }
}

function findEnrolment(db: Db): HolderDetailsDeps['findEnrolment'] {
  return async (holderId, companyId) => {
    const owner = await findHolderOwner(db, holderId)
    if (owner === undefined) return false
    return owner.company_id === companyId || undefined
  }
}

async function makeNumberPage({ db, provider }: KernelServerDeps, cardId: string, company: string) {
  const companyId = findId('co', company)
  const card = companyId === undefined ? undefined : await findCardOf(db, cardId, companyId)
  if (card === undefined) return undefined
  const { id, provider_id: providerId, facts } = card
  const page = await provider.numberPage?.({ kind: 'card', id, providerId, facts })
  return page && { url: page.url, expiresAt: page.expiresAt.toISOString() }
}

/** An invoice is made in one transaction; what is not offered is refused, and the refusal is stored. */
async function putOther(
  { db, clock, makeInvoice }: KernelServerDeps,
  token: string,
  body: RequestBody,
  hasInvoices: boolean,
): Promise<FenceAnswer> {
  const refusal = body.kind !== 'invoice' || !hasInvoices ? DECLINED : undefined
  const make: MakeInvoice = makeInvoice ?? (async () => 'not_offered')
  const answer = await perform({ db, clock, makeInvoice: make }, token, body, { refusal })
  if (answer === undefined) throw conflict()
  return answer
}

function conflict(): ApiError {
  return new ApiError('event_conflict', 'The token is known with other content.')
}

function answerOf(carried: FenceAnswer | 'person'): FenceAnswer | undefined {
  return carried === 'person' ? undefined : carried
}

/** Waits for whoever carries the request out. Returns undefined if the outcome is not known in time. */
async function awaitAnswer({ db, pause }: KernelServerDeps, token: string): Promise<FenceAnswer | undefined> {
  for (let waitedMs = 0; waitedMs < ANSWER_MAX_MS; waitedMs += LOOK_MS) {
    await pause(LOOK_MS)
    const answer = (await findRequest(db, token))?.answer
    if (answer != null) return answer
  }
  return undefined
}

function reply(sign: Sign, answer: FenceAnswer | undefined, token: string, body: RequestBody | undefined): Answer {
  if (answer === undefined) {
    return sign(503, JSON.stringify({ message: 'The outcome is not known yet. Look it up later.' }))
  }
  if (answer.outcome !== 'absent' || body === undefined) return sign(200, JSON.stringify(answer))
  const message = 'The token was fenced before the request arrived.'
  return sign(200, JSON.stringify({ token, kind: body.kind, outcome: 'refused', code: 'fenced', message }))
}
