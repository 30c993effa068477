// Rules about invoices, without a database: which amounts are allowed, what they cost, and what follows from an answer.
import { ApiError } from '../errors.ts'
import { nextStep } from '../issuer/evidence.ts'
import { PAY_AMOUNT_QUARANTINE_MS } from '../issuer/invoice-terms.ts'
import type { InvoiceLookUpOutcome, InvoiceOutcome, PaymentInstructions } from '../issuer/port.ts'
import type { DecisionContext } from '../issuer/requests/kind.ts'
import { InvariantError, must } from '../lib/invariant.ts'
import { type Cents, cents, formatCents, shareHalfUp } from '../lib/money.ts'
import { isTronAddress } from '../tron/address.ts'
import { type Micros, centsRoundedDown, microsOfCents } from '../tron/usdt.ts'

/** SPEC: "Direct card-account deposit fee: 1.5%, deducted from the deposit". */
const FEE_RATE_PPM = 15_000n
/** SPEC: "minimum 10 USD or the issuer minimum, whichever is higher". */
const MINIMUM: Cents = cents(1_000n)
/** Ten million dollars: far above any single transfer, and its micro-USDT fit easily into a bigint column. */
export const INVOICE_MAXIMUM: Cents = cents(1_000_000_000n)
const CENTS_PER_DOLLAR = 100n
/** The last four digits of an exact amount: less than a cent above the deposit. */
const TAIL_MAX = 9_999n
/** An issuer's clock may be ahead and its invoices may live for days. More than a week is a mistake. */
const LIFETIME_MAX_MS = 7 * 24 * 3_600_000

export function requireInvoiceAmount(amount: Cents, issuerMinimum: Cents): Cents {
  if (amount % CENTS_PER_DOLLAR !== 0n) {
    throw new ApiError('amount_not_whole', 'The amount must be whole US dollars, such as "100" or "100.00".', {
      param: 'amount',
    })
  }
  const least = issuerMinimum > MINIMUM ? issuerMinimum : MINIMUM
  if (amount < least) {
    throw new ApiError('amount_below_minimum', `The amount must be at least "${formatCents(least)}".`, {
      param: 'amount',
      details: { minimumAmount: formatCents(least) },
    })
  }
  if (amount > INVOICE_MAXIMUM) {
    throw new ApiError('amount_above_maximum', `The amount must be at most "${formatCents(INVOICE_MAXIMUM)}".`, {
      param: 'amount',
      details: { maximumAmount: formatCents(INVOICE_MAXIMUM) },
    })
  }
  return amount
}

export function invoiceFee(deposit: Cents): Cents {
  return shareHalfUp(deposit, FEE_RATE_PPM)
}

/** Returns what a review credits: the received amount, rounded down to the cent, and its fee. Undefined below a cent. */
export function creditOf(received: Micros): { deposit: Cents; fee: Cents } | undefined {
  const deposit = centsRoundedDown(received)
  return deposit === 0n ? undefined : { deposit, fee: invoiceFee(deposit) }
}

/** Returns why payment instructions cannot be shown to a payer, or undefined if they are sound. */
export function findFlaw(instructions: PaymentInstructions, amount: Cents, now: Date): string | undefined {
  const { address, payAmount, expiresAt } = instructions
  if (!isTronAddress(address)) return 'the address is not a TRON address'
  const tail = payAmount - microsOfCents(amount)
  if (tail < 1n || tail > TAIL_MAX) return 'the exact amount is not the deposit and a tail below a cent'
  const leftMs = expiresAt.getTime() - now.getTime()
  if (Number.isNaN(leftMs) || leftMs <= 0 || leftMs > LIFETIME_MAX_MS) return 'the expiry is past or far away'
  return undefined
}

export type Creation =
  | ({ readonly status: 'pending'; readonly freeAt: Date } & PaymentInstructions)
  | { readonly status: 'failed'; readonly failure: { readonly code: string; readonly message: string } }
  | { readonly status: 'manual_review' }
  /** The outcome is still unknown; look it up at `dueAt`. */
  | { readonly status: 'creating'; readonly dueAt: Date; readonly lookUps: number }

/** Returns what follows from the issuer's answer. The issuer is never asked again; evidence.ts has the table. */
export function creationOf(
  invoice: { requested: bigint; look_up_count: number },
  outcome: InvoiceOutcome | InvoiceLookUpOutcome,
  context: DecisionContext,
): Creation {
  const { now, since, purpose, lookUpDelaysMs } = context
  const instructions = outcome.kind === 'confirmed' ? outcome : undefined
  const isFlawed = instructions !== undefined && findFlaw(instructions, cents(invoice.requested), now) !== undefined
  const lookUps = { done: invoice.look_up_count, delaysMs: lookUpDelaysMs }
  const step = nextStep(isFlawed ? { kind: 'unknown' } : outcome, { now, since, purpose, lookUps })
  switch (step.kind) {
    case 'complete': {
      const { address, payAmount, expiresAt } = must(instructions)
      const freeAt = new Date(expiresAt.getTime() + PAY_AMOUNT_QUARANTINE_MS)
      return { status: 'pending', address, payAmount, expiresAt, freeAt }
    }
    case 'fail':
      return { status: 'failed', failure: step.failure }
    case 'look_up':
      return { status: 'creating', dueAt: step.at, lookUps: step.lookUps }
    case 'review':
      return { status: 'manual_review' }
    case 'send_again':
      throw new InvariantError('an invoice is never asked for again')
  }
}
