// How the reference issuer answers the protocol, and how it misbehaves if it is told to.
import { Readable } from 'node:stream'
import { ApiError } from '../../errors.ts'
import type { Answer } from '../../http/route.ts'
import type { FenceAnswer, RequestBody } from '../../issuer/http/protocol.ts'
import type { Clock } from '../../lib/clock.ts'
import { findId } from '../../lib/ids.ts'
import { LAST_TOKEN, readBook } from '../records/book.ts'
import { JSON_TYPE, notFoundAnswer, type ProtocolServer, type Sign } from '../../issuer/http/routes.ts'
import { findIssuedCard, findRequest, insertArrival } from '../records/queries.ts'
import { answerHolderDetails } from '../holder-details/answer.ts'
import { readState, type StateDeps } from '../state.ts'
import type { Behaviour, Rule } from './behaviour.ts'
import type { MakeInvoice } from './invoices.ts'
import { holderFieldsOf, refusalFor } from './holder-need.ts'
import { fence, perform } from './perform.ts'

/** It takes any deposit, and keeps a balance for each card. */
const ABOUT = { invoiceMinimum: '1.00', cardModes: ['balance' as const], numberPage: true, holderDetails: true }
/** What it says about its pages, which show nothing. */
const PAGE_LIFETIME_MS = 60_000
/** Longer than any caller waits. */
const HANG_MS = 150_000

export interface ReferenceDeps extends StateDeps {
  clock: Clock
  secret: string
  behaviour: Behaviour
  makeInvoice: MakeInvoice
  /** Returns its own address. */
  findUrl: () => string
}

export function createReferenceServer(deps: ReferenceDeps): ProtocolServer {
  const { db, clock, behaviour } = deps
  /** Notes each arrival with the rule that applies to it. */
  const arrive = async (token: string, kind: RequestBody['kind'] | 'look_up'): Promise<Rule> => {
    const rule = behaviour.next(kind)
    await insertArrival(db, { token, kind, mode: rule.mode, at: clock.now() })
    return rule
  }
  return {
    async put(token, body, sign) {
      requireKnownFields(behaviour, body)
      const rule = await arrive(token, body.kind)
      const isIdle = rule.mode === 'hang' || rule.mode === 'fail' || rule.mode === 'garbage'
      if (isIdle) return misbehave(rule, sign, undefined)
      const refusal = await refusalFor(deps, rule, body)
      const answer = await perform(deps, token, body, { refusal })
      if (answer === undefined) throw new ApiError('event_conflict', 'The token is known with other content.')
      return misbehave(rule, sign, answer)
    },
    async lookUp(token, sign) {
      const rule = await arrive(token, 'look_up')
      const known = await findRequest(db, token)
      if (isDown(rule)) return misbehave(rule, sign, undefined)
      if (known === undefined || known.answer === null || known.answer.outcome === 'absent') return notFoundAnswer(sign)
      return misbehave(rule, sign, known.answer)
    },
    async numberPage(cardId, companyId) {
      const card = await findIssuedCard(db, cardId)
      if (card?.companyId !== companyId) return undefined
      const expiresAt = new Date(clock.now().getTime() + PAGE_LIFETIME_MS).toISOString()
      return { url: `${deps.findUrl()}/cards/${cardId}/number`, expiresAt }
    },
    async fence(token, company, sign) {
      const rule = await arrive(token, 'look_up')
      const companyId = findId('co', company)
      if (isDown(rule)) return misbehave(rule, sign, undefined)
      if (!behaviour.hasFence || companyId === undefined) return notFoundAnswer(sign)
      return misbehave(rule, sign, await fence(deps, token, companyId))
    },
    async about() {
      const { protocol, kinds, hasFence, provider, mode } = behaviour
      return protocol === '1.0' ? undefined : { protocol, provider, mode, kinds: [...kinds], fence: hasFence, ...ABOUT }
    },
    // It enrols nobody, so it only knows who entered details.
    ...answerHolderDetails({ db, clock, fields: () => holderFieldsOf(behaviour), findEnrolment: async () => false }),
    readBook: (query) => readBook(db, query),
    state: () => readState(deps),
  }
}

function isDown({ mode }: Rule): boolean {
  return mode === 'hang' || mode === 'fail'
}

/** An issuer of protocol 1.0 may refuse what it does not know. This one does, to show that it is not sent. */
function requireKnownFields({ protocol }: Behaviour, body: RequestBody): void {
  if (protocol === '1.0' && body.kind === 'issue' && (body.cardId ?? body.holder) !== undefined) {
    throw new ApiError('validation_failed', 'cardId and holder are not fields of an issue.')
  }
}

async function misbehave({ mode, delayMs }: Rule, sign: Sign, answer: FenceAnswer | undefined): Promise<Answer> {
  const text = JSON.stringify(answer ?? {})
  switch (mode) {
    case 'normal':
    case 'refuse':
      return sign(200, text)
    case 'delay':
      await pause(delayMs)
      return sign(200, text)
    case 'hang':
    case 'act_then_hang':
      await pause(HANG_MS)
      return sign(200, text)
    case 'fail':
    case 'act_then_fail':
      return sign(500, '{"message":"told to fail"}')
    case 'garbage':
    case 'act_then_garbage':
      return sign(200, '{"outcome":"done","token":"\\u0000')
    case 'act_then_cut':
      return { status: 200, body: cut(), headers: { ...JSON_TYPE, 'content-length': '100' } }
    case 'unsigned':
      return { status: 200, body: text, headers: JSON_TYPE }
    case 'wrong_amount':
      return sign(200, JSON.stringify({ ...answer, amount: '0.01', token: LAST_TOKEN }))
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
