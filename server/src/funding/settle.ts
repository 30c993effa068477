// Asks the issuer for an invoice once, looks up invoices whose creation is unknown, and expires unpaid ones. It must not call
// the issuer inside a transaction.
import { isLastLookUp } from '../issuer/evidence.ts'
import { type Asked, type Exchange, findCertainAnswer, recordExchange } from '../issuer/exchanges.ts'
import { leaseUntil } from '../issuer/lease.ts'
import { type Gate, giveAllBack, type Places, runForEach } from '../issuer/gate.ts'
import type { InvoiceLookUpOutcome, InvoiceOutcome, Issuer } from '../issuer/port.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import { cents } from '../lib/money.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import { formatMicros } from '../tron/usdt.ts'
import { createFailureLog, type FailureLog } from '../worker/failure-log.ts'
import type { Job } from '../worker/loop.ts'
import type { FundingDeps } from './deps.ts'
import {
  claimInvoiceLookUps,
  expireInvoice,
  findInvoice,
  type InvoiceRow,
  listOverdueInvoices,
  settleInvoice,
} from './queries.ts'
import { creationOf, findFlaw } from './rules.ts'

/** The most that one claim takes. */
const CLAIM_SIZE = 100
const INTERVAL_MS = 250

/** Asks the issuer for an invoice. Only the request that recorded the invoice may call this, and only once. */
export async function askIssuer(
  deps: FundingDeps,
  scope: Scope,
  issuer: Issuer,
  { id, places }: { id: string; places: Places },
): Promise<void> {
  const row = must(await findInvoice(deps.db, scope, id).catch(giveAllBack(places)))
  const startedAt = deps.clock.now()
  const request = { scope, token: id, amount: cents(row.requested) }
  const outcome = await places.call({ action: 'create_invoice', attempt: 1 }, async () =>
    requireSound(await issuer.createInvoice(request), row, deps.clock.now()),
  )
  await settle(deps, row, issuer, { purpose: 'request', startedAt, outcome })
}

async function lookUp(deps: FundingDeps, issuer: Issuer, places: Places, row: InvoiceRow): Promise<void> {
  const startedAt = deps.clock.now()
  const isLast = isLastLookUp({ done: row.look_up_count, delaysMs: issuer.lookUpDelaysMs })
  const request = { scope: scopeOf(row), token: row.id, amount: cents(row.requested), isLast }
  const subject = { action: 'look_up_invoice', attempt: row.look_up_count + 1 }
  const outcome = await places.call(subject, async () =>
    requireSound(await issuer.lookUpInvoice(request), row, deps.clock.now()),
  )
  await settle(deps, row, issuer, { purpose: 'look_up', startedAt, outcome })
}

type AnyOutcome = InvoiceOutcome | InvoiceLookUpOutcome
type InvoiceExchange = Omit<Exchange, 'finishedAt' | 'outcome'> & { readonly outcome: AnyOutcome }

async function settle(deps: FundingDeps, row: InvoiceRow, issuer: Issuer, exchange: InvoiceExchange): Promise<void> {
  const { db, clock, payLinks } = deps
  const scope = scopeOf(row)
  const now = clock.now()
  const { outcome } = exchange
  const { lookUpDelaysMs } = issuer
  const context = { now, since: row.created_at, purpose: exchange.purpose, lookUpDelaysMs }
  const creation = creationOf(row, outcome, context)
  if (creation.status !== 'pending') await recordExchange(db, scope, askedOf(row), { ...exchange, finishedAt: now })
  const kept = creation.status === 'manual_review' ? await findCertainAnswer(db, scope, row.id) : undefined
  // Confirmations are not kept: they would lack the payment instructions.
  const decided = kept === undefined || kept.kind === 'confirmed' ? creation : creationOf(row, kept, context)
  await settleInvoice(db, scope, row.id, now, decided, payLinks.urlOf(scope, row.id))
}

/**
 * Returns the outcome, or `unknown` if it confirms instructions that cannot be shown to a payer. It is part of the call, so that the
 * gate does not take such an answer for a sign that invoices work.
 */
function requireSound(outcome: AnyOutcome, row: InvoiceRow, now: Date): AnyOutcome {
  if (outcome.kind !== 'confirmed') return outcome
  const flaw = findFlaw(outcome, cents(row.requested), now)
  if (flaw === undefined) return outcome
  const { address, payAmount, expiresAt } = outcome
  const received = { address, payAmount: formatMicros(payAmount), expiresAt }
  return { kind: 'unknown', reason: `the answer is malformed: ${flaw}`, received }
}

/** Returns the request as a dossier shows it. */
export function askedOf({ id, requested }: InvoiceRow): Asked {
  return { prefix: 'inv', id, type: 'invoice', amount: requested }
}

export function scopeOf(row: Pick<InvoiceRow, 'company_id' | 'environment'>): Scope {
  return { companyId: row.company_id, environment: row.environment }
}

async function lookUpDue(
  deps: FundingDeps & { logFailure: FailureLog },
  environment: Environment,
  gate: Gate,
): Promise<boolean> {
  const { db, clock, logFailure, issuerTimeoutMs } = deps
  const places = await gate.reserveSoon(CLAIM_SIZE, 'look_up')
  if (places.count === 0) return false
  const now = clock.now()
  const claim = { environment, now, leaseUntil: leaseUntil(now, issuerTimeoutMs), limit: places.count }
  const rows = await claimInvoiceLookUps(db, claim).catch(giveAllBack(places))
  places.giveBack(places.count - rows.length)
  const results = await Promise.allSettled(rows.map((row) => lookUp(deps, gate.issuer, places, row)))
  for (const result of results) if (result.status === 'rejected') logFailure(result.reason)
  return rows.length === places.count
}

export function fundingJobs(deps: FundingDeps & { log: Log }): Job[] {
  const { db, clock, payLinks } = deps
  const logFailure = createFailureLog(deps.log, 'An invoice could not be settled and will be tried again.')
  return [
    {
      name: 'invoice look-ups',
      intervalMs: INTERVAL_MS,
      run: () => runForEach(deps.gates, (environment, gate) => lookUpDue({ ...deps, logFailure }, environment, gate)),
    },
    {
      name: 'invoice expiry',
      intervalMs: INTERVAL_MS,
      async run() {
        const now = clock.now()
        const rows = await listOverdueInvoices(db, now, CLAIM_SIZE)
        for (const row of rows) await expireInvoice(db, scopeOf(row), row.id, now, payLinks.urlOf(scopeOf(row), row.id))
        return rows.length === CLAIM_SIZE
      },
    },
  ]
}
