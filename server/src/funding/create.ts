// POST /card-account/invoices: records the invoice, then asks the issuer for it, once. A process that dies in between leaves
// an invoice that is only looked up: nobody asks the issuer a second time.
import { ApiError } from '../errors.ts'
import { type Gate, giveAllBack, type Permits } from '../issuer/gate.ts'
import { askOnce, beginClaim, type Claim } from '../issuer/requests/ask.ts'
import { payloadDigest } from '../lib/digest.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { type Cents, parseCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { FundingDeps } from './deps.ts'
import {
  beginInvoice,
  type BeginRow,
  expireInvoice,
  findAnswer,
  findInvoice,
  findInvoiceByKey,
  settleFirstAnswer,
} from './queries.ts'
import { invoiceKind } from './request-kind.ts'
import { invoiceFee, requireInvoiceAmount } from './rules.ts'
import type { Invoice } from './schema.ts'

/** Pauses of a repeated request between its looks at an invoice that is being created: six looks within three seconds. */
export const REPLAY_PAUSES_MS: readonly number[] = [25, 75, 250, 800, 1_600]

export interface CreatedInvoice {
  readonly invoice: Invoice
  readonly replayed: boolean
}

export async function createInvoice(
  deps: FundingDeps,
  scope: Scope,
  idempotencyKey: string,
  { createdBy, ...body }: { amount: string; createdBy?: string },
): Promise<CreatedInvoice> {
  const gate = requireGate(deps, scope)
  const digest = payloadDigest(body)
  const minimum = gate.issuer.invoiceMinimum
  const accepted = await accept(deps, scope, { idempotencyKey, digest }, async () => {
    if (!gate.issuer.offers('invoice')) {
      throw new ApiError(
        'not_offered',
        'The issuer of this server does not take deposits by invoice. Ask the operator.',
      )
    }
    const amount = requireInvoiceAmount(parseCents(body.amount), minimum)
    return { amount, permits: await requirePermit(gate) }
  })
  if ('invoice' in accepted) return accepted
  const { amount, permits } = accepted
  const wanted = { idempotencyKey, digest, amount, createdBy }
  const { claim, ...begun } = await begin(deps, scope, wanted).catch(giveAllBack(permits))
  if (begun.verdict !== 'begun') permits.giveBack(1)
  switch (begun.verdict) {
    case 'begun':
      await ask(deps, scope, { id: begun.id, claim, gate, permits })
      return { invoice: await answer(deps, scope, begun.id), replayed: false }
    case 'replay':
      return replay(deps, scope, begun.id)
    case 'conflict':
      throw conflict(begun.id)
    case 'unresolved':
      throw new ApiError(
        'invoice_unresolved',
        'Another invoice is still open. Pay or cancel it, or wait until it expires or its review is decided.',
        { details: { invoiceId: formatId('inv', begun.id), status: begun.status } },
      )
  }
}

function requireGate({ gates }: Pick<FundingDeps, 'gates'>, { environment }: Scope): Gate {
  const gate = gates[environment]
  if (gate !== undefined) return gate
  throw new ApiError('capability_not_activated', 'This server has no live issuer. Ask the operator.')
}

/** While the issuer is out of service an invoice is refused: nothing has been recorded or sent. */
async function requirePermit(gate: Gate): Promise<Permits> {
  const permits = await gate.reserveSoon(1, 'invoice')
  if (permits.count === 1) return permits
  throw new ApiError('unavailable', 'The issuer is not answering. Nothing was sent to it. Try again later.', {
    headers: { 'retry-after': '10' },
  })
}

/**
 * Returns what `require` returns. A request that was accepted before gets the same answer for ever, also when it would be
 * refused now: the issuer's minimum has changed since, or the issuer is out of service.
 */
async function accept<Accepted extends object>(
  deps: FundingDeps,
  scope: Scope,
  request: { idempotencyKey: string; digest: string },
  require: () => Promise<Accepted>,
): Promise<Accepted | CreatedInvoice> {
  try {
    return await require()
  } catch (refusal) {
    const original = await findInvoiceByKey(deps.db, scope, request.idempotencyKey)
    if (original === undefined) throw refusal
    if (original.request_digest.toString('hex') !== request.digest) throw conflict(original.id)
    return replay(deps, scope, original.id)
  }
}

async function begin(
  deps: FundingDeps,
  scope: Scope,
  wanted: { idempotencyKey: string; digest: string; amount: Cents; createdBy: string | undefined },
): Promise<BeginRow & { claim: Claim }> {
  const { db, payLinks } = deps
  const claim = beginClaim(deps)
  const { now, leaseUntil } = claim
  const id = newId(now)
  const fee = invoiceFee(wanted.amount)
  const linkDigest = payLinks.digestOf(scope, id).toString('hex')
  const attempt = async () => ({
    ...must(await beginInvoice(db, scope, now, { ...wanted, id, fee, leaseUntil, linkDigest })),
    claim,
  })
  const begun = await attempt()
  // An invoice past its expiry is not unresolved, even if nobody has marked it expired yet.
  if (begun.verdict !== 'unresolved' || begun.expires_at === null || begun.expires_at > now) return begun
  // Whoever marks it, this request or the job that expires invoices, it no longer stands in the way.
  await expireInvoice(db, scope, begun.id, now, payLinks.urlOf(scope, begun.id))
  return attempt()
}

async function ask(
  deps: FundingDeps,
  scope: Scope,
  { id, claim, gate, permits }: { id: string; claim: Claim; gate: Gate; permits: Permits },
): Promise<void> {
  const row = must(await findInvoice(deps.db, scope, id).catch(giveAllBack(permits)))
  await askOnce(deps, invoiceKind(deps), row, { claim, issuer: gate.issuer, permits })
}

/**
 * Returns the first answer as soon as there is one. A request that comes while another one is still asking the issuer, in
 * this process or elsewhere, waits a moment for it and then gets the invoice as it is, `creating`. That is not stored as the
 * first answer: only the request that asks the issuer may say `creating` for good.
 */
async function replay(deps: FundingDeps, scope: Scope, id: string): Promise<CreatedInvoice> {
  const payUrl = deps.payLinks.urlOf(scope, id)
  for (let look = 0; ; look += 1) {
    const found = must(await findAnswer(deps.db, scope, id, payUrl))
    if (found.is_first) return { invoice: found.answer, replayed: true }
    if (found.status !== 'creating') return { invoice: await answer(deps, scope, id), replayed: true }
    const pauseMs = REPLAY_PAUSES_MS[look]
    // Once it is being looked up, whoever asked the issuer is gone.
    if (pauseMs === undefined || found.look_up_count > 0) return { invoice: found.answer, replayed: true }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

async function answer({ db, payLinks }: FundingDeps, scope: Scope, id: string): Promise<Invoice> {
  return must(await settleFirstAnswer(db, scope, id, payLinks.urlOf(scope, id))).first_answer
}

function conflict(originalId: string): ApiError {
  return new ApiError(
    'idempotency_conflict',
    'This Idempotency-Key was used with another body. Use a new key for a new invoice.',
    { param: 'Idempotency-Key', details: { originalId: formatId('inv', originalId) } },
  )
}
