// POST /card-account/invoices: recorded first, then the issuer is asked, once. A process that dies in between leaves an
// invoice that is only ever looked up: nobody asks the issuer a second time.
import { ApiError } from '../errors.ts'
import { leaseUntil } from '../issuer/lease.ts'
import { type Gate, giveAllBack, type Places } from '../issuer/gate.ts'
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
  findInvoice,
  findInvoiceByKey,
  settleFirstAnswer,
} from './queries.ts'
import { invoiceFee, requireInvoiceAmount } from './rules.ts'
import type { Invoice } from './schema.ts'
import { askIssuer } from './settle.ts'

const WAIT_STEP_MS = 25

export interface CreatedInvoice {
  readonly invoice: Invoice
  readonly replayed: boolean
}

export async function createInvoice(
  deps: FundingDeps,
  scope: Scope,
  idempotencyKey: string,
  body: { amount: string },
): Promise<CreatedInvoice> {
  const gate = requireGate(deps, scope)
  const digest = payloadDigest(body)
  const minimum = gate.issuer.invoiceMinimum
  const accepted = await accept(deps, scope, { idempotencyKey, digest }, async () => {
    const amount = requireInvoiceAmount(parseCents(body.amount), minimum)
    return { amount, places: await requirePlace(gate) }
  })
  if ('invoice' in accepted) return accepted
  const { amount, places } = accepted
  const begun = await begin(deps, scope, { idempotencyKey, digest: digest.toString('hex'), amount }).catch(
    giveAllBack(places),
  )
  if (begun.verdict !== 'begun') places.giveBack(1)
  switch (begun.verdict) {
    case 'begun':
      await askIssuer(deps, scope, gate.issuer, { id: begun.id, places })
      return { invoice: await answer(deps, scope, begun.id), replayed: false }
    case 'replay':
      return replay(deps, scope, begun.id)
    case 'conflict':
      throw conflict(begun.id)
    case 'unresolved':
      throw new ApiError(
        'invoice_unresolved',
        'There is an unresolved invoice. Pay it, or wait until it expires or its review is decided.',
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
async function requirePlace(gate: Gate): Promise<Places> {
  const places = await gate.reserveSoon(1)
  if (places.count === 1) return places
  throw new ApiError(
    'unavailable',
    'The issuer does not answer at the moment. Nothing was sent to it; try again later.',
    {
      headers: { 'retry-after': '10' },
    },
  )
}

/**
 * Returns what `require` returns. A request that was accepted before gets the same answer for ever, also when it would be
 * refused now: the issuer's minimum has changed since, or the issuer is out of service.
 */
async function accept<Accepted extends object>(
  deps: FundingDeps,
  scope: Scope,
  request: { idempotencyKey: string; digest: Buffer },
  require: () => Promise<Accepted>,
): Promise<Accepted | CreatedInvoice> {
  try {
    return await require()
  } catch (refusal) {
    const original = await findInvoiceByKey(deps.db, scope, request.idempotencyKey)
    if (original === undefined) throw refusal
    if (!original.request_digest.equals(request.digest)) throw conflict(original.id)
    return replay(deps, scope, original.id)
  }
}

async function begin(
  { db, clock, payLinks, issuerTimeoutMs }: FundingDeps,
  scope: Scope,
  wanted: { idempotencyKey: string; digest: string; amount: Cents },
): Promise<BeginRow> {
  const now = clock.now()
  const id = newId(now)
  const fee = invoiceFee(wanted.amount)
  const linkDigest = payLinks.digestOf(scope, id).toString('hex')
  const attempt = async () =>
    must(
      await beginInvoice(db, scope, now, {
        ...wanted,
        id,
        fee,
        leaseUntil: leaseUntil(now, issuerTimeoutMs),
        linkDigest,
      }),
    )
  const begun = await attempt()
  // One whose time is over is not unresolved, even if nobody has looked at it since.
  if (begun.verdict !== 'unresolved' || begun.expires_at === null || begun.expires_at > now) return begun
  const { expired } = must(await expireInvoice(db, scope, begun.id, now, payLinks.urlOf(scope, begun.id)))
  return expired ? attempt() : begun
}

/** Two at once both get the one invoice: the second waits until the issuer has answered the first. */
async function replay(deps: FundingDeps, scope: Scope, id: string): Promise<CreatedInvoice> {
  for (let waitedMs = 0; waitedMs < deps.issuerTimeoutMs; waitedMs += WAIT_STEP_MS) {
    const row = must(await findInvoice(deps.db, scope, id))
    if (row.status !== 'creating' || row.look_up_count > 0) break
    await new Promise((resolve) => setTimeout(resolve, WAIT_STEP_MS))
  }
  return { invoice: await answer(deps, scope, id), replayed: true }
}

async function answer({ db, payLinks }: FundingDeps, scope: Scope, id: string): Promise<Invoice> {
  return must(await settleFirstAnswer(db, scope, id, payLinks.urlOf(scope, id))).first_answer
}

function conflict(originalId: string): ApiError {
  return new ApiError(
    'idempotency_conflict',
    'This Idempotency-Key was used with another body. Use a new key for a new invoice.',
    { details: { originalId: formatId('inv', originalId) } },
  )
}
