// Invoices as requests to an issuer: how one is sent, looked up, settled and described. The request that records an invoice sends
// it, and nobody sends it again.
import type { Asked } from '../issuer/exchanges.ts'
import type { InvoiceLookUpOutcome, InvoiceOutcome } from '../issuer/port.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import type { RequestKind, RequestRow } from '../issuer/requests/kind.ts'
import { cents } from '../lib/money.ts'
import { formatMicros } from '../tron/usdt.ts'
import type { FundingDeps } from './deps.ts'
import { listClaimedInvoices, settleInvoice } from './queries.ts'
import { type Creation, creationOf, findFlaw } from './rules.ts'

/** What is needed to ask for an invoice. */
export interface AskedInvoice extends RequestRow {
  readonly requested: bigint
}

type AnyInvoiceOutcome = InvoiceOutcome | InvoiceLookUpOutcome

export function invoiceKind({
  db,
  clock,
  payLinks,
}: Pick<FundingDeps, 'db' | 'clock' | 'payLinks'>): RequestKind<AskedInvoice, AnyInvoiceOutcome, Creation> {
  return {
    callKinds: ['invoice'],
    subjectOf: ({ look_up_count }, purpose) =>
      purpose === 'request'
        ? { action: 'create_invoice', attempt: 1 }
        : { action: 'look_up_invoice', attempt: look_up_count + 1 },
    send: async (issuer, row) => requireSound(await issuer.createInvoice(requestOf(row)), row, clock.now()),
    listClaimed: (environment, claimed) => listClaimedInvoices(db, environment, claimed),
    lookUp: async (issuer, row, isLast) =>
      requireSound(await issuer.lookUpInvoice({ ...requestOf(row), isLast }), row, clock.now()),
    decide: creationOf,
    // A confirmation is in the invoice itself. An exchange would lack the payment instructions.
    isKept: ({ status }) => status !== 'pending',
    fromKept: (answer) => (answer.kind === 'confirmed' ? undefined : answer),
    settle: async (row, creation, now) => {
      const scope = scopeOf(row)
      await settleInvoice(db, scope, row.id, now, creation, payLinks.urlOf(scope, row.id))
    },
    describe: askedOf,
    aboutOf: (invoiceId) => ({ invoiceId }),
  }
}

function requestOf(row: AskedInvoice) {
  return { scope: scopeOf(row), token: row.id, amount: cents(row.requested) }
}

/**
 * Returns the outcome, or `unknown` if it confirms instructions that cannot be shown to a payer. It is part of the call, so that the
 * gate does not take such an answer for a sign that invoices work.
 */
function requireSound(outcome: AnyInvoiceOutcome, row: AskedInvoice, now: Date): AnyInvoiceOutcome {
  if (outcome.kind !== 'confirmed') return outcome
  const flaw = findFlaw(outcome, cents(row.requested), now)
  if (flaw === undefined) return outcome
  const { address, payAmount, expiresAt } = outcome
  const received = { address, payAmount: formatMicros(payAmount), expiresAt }
  return { kind: 'unknown', reason: `the answer is malformed: ${flaw}`, received }
}

export function askedOf({ id, requested }: AskedInvoice): Asked {
  return { prefix: 'inv', id, type: 'invoice', amount: requested }
}
