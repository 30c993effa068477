// Carries out a request to the reference issuer and records its effect, once per token.
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { canonicalJson } from '../../lib/digest.ts'
import { findId } from '../../lib/ids.ts'
import { must } from '../../lib/invariant.ts'
import { formatMicros } from '../../tron/usdt.ts'
import type { FenceAnswer, RequestAnswer, RequestBody } from '../../issuer/http/protocol.ts'
import type { MakeInvoice } from './invoices.ts'
import { findRequest, insertRequest } from '../records/queries.ts'

interface Deps {
  db: Db
  clock: Clock
  makeInvoice: MakeInvoice
}

export interface Refusal {
  readonly code: string
  readonly message: string
}
export const DECLINED: Refusal = { code: 'declined', message: 'The issuer refused the request.' }

/** Returns undefined if the token is known with other content or the company's id is malformed. */
export async function perform(
  { db, clock, makeInvoice }: Deps,
  token: string,
  body: RequestBody,
  { refusal }: { refusal: Refusal | undefined },
): Promise<RequestAnswer | undefined> {
  const companyId = findId('co', body.companyId)
  if (companyId === undefined) return undefined
  const known = await findRequest(db, token)
  if (known === undefined) {
    const answer = refusal ? refused(token, body, refusal) : await carryOut(makeInvoice, token, companyId, body)
    const row = { token, company_id: companyId, kind: body.kind, content: body, answer, created_at: clock.now() }
    await insertRequest(db, row)
  }
  const kept = known ?? (await findRequest(db, token))
  if (kept?.answer == null || kept.answer.outcome === 'absent')
    return refused(token, body, { ...DECLINED, code: 'fenced' })
  return canonicalJson(kept.content) === canonicalJson(body) ? kept.answer : undefined
}

/** Returns the outcome of a token. If the token is unknown, a request with it is refused from now on. */
export async function fence(
  { db, clock }: Omit<Deps, 'makeInvoice'>,
  token: string,
  companyId: string,
): Promise<FenceAnswer> {
  const row = { token, company_id: companyId, kind: 'fence', content: { companyId }, created_at: clock.now() } as const
  // Whichever of the request and the fence is inserted first stays.
  await insertRequest(db, { ...row, answer: { token, outcome: 'absent' } })
  return must((await findRequest(db, token))?.answer ?? undefined)
}

async function carryOut(
  makeInvoice: MakeInvoice,
  token: string,
  companyId: string,
  body: RequestBody,
): Promise<RequestAnswer> {
  const receipt = `ref_${token.replaceAll('-', '')}`
  switch (body.kind) {
    case 'issue': {
      const last4 = (Number.parseInt(token.slice(-6), 16) % 10_000).toString().padStart(4, '0')
      return { token, kind: body.kind, outcome: 'done', amount: body.amount, receipt, last4 }
    }
    case 'topup':
    case 'service':
      return { token, kind: body.kind, outcome: 'done', amount: body.amount, receipt }
    case 'card_status':
      return { token, kind: body.kind, outcome: 'done', receipt }
    case 'invoice': {
      const made = await makeInvoice({ token, companyId, amount: body.amount })
      if (typeof made === 'string') return refused(token, body, { ...DECLINED, code: made })
      const { address, payAmount, expiresAt } = made
      const instructions = { address, payAmount: formatMicros(payAmount), expiresAt: expiresAt.toISOString() }
      return { token, kind: 'invoice', outcome: 'done', amount: body.amount, ...instructions }
    }
  }
}

function refused(token: string, { kind }: RequestBody, { code, message }: Refusal): RequestAnswer {
  return { token, kind, outcome: 'refused', code, message }
}
