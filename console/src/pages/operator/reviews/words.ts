// Reviews in plain words: why a person has to decide, and what each decision does to the money.
import type { Review, ReviewResolution } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'

export type Outcome = ReviewResolution['outcome']

const REASONS: Readonly<Record<string, string | undefined>> = {
  issuer_unknown: 'The issuer has not confirmed whether this happened.',
  underpaid: 'Less was paid than the invoice asked for.',
  overpaid: 'More was paid than the invoice asked for.',
  paid_late: 'The payment arrived after the invoice had expired.',
  multiple_payments: 'More than one payment arrived.',
  late_payment: 'The payment arrived after the invoice was closed.',
}

export function describeReason(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ')
}

/** How the issuer's answer was understood. */
export const OUTCOME_WORDS: Readonly<Record<string, string | undefined>> = {
  confirmed: 'Confirmed: it happened',
  declined: 'Declined: it did not happen',
  unknown: 'No clear answer',
  not_sent: 'Not sent',
  absent: 'Not carried out, and never will be',
}

interface Choice {
  readonly value: Outcome
  readonly title: string
  readonly text: string
}

/** The decisions that a review allows, each with its consequence in money. */
export function choicesOf(review: Review): readonly Choice[] {
  const held = `${formatMoney(review.heldAmount)} USD`
  switch (review.object) {
    case 'operation':
      return [
        { value: 'completed', title: 'It happened', text: `Charge ${held} and ${RESULTS[review.dossier.type]}.` },
        { value: 'failed', title: 'It did not happen', text: `Release ${held} to the company.` },
      ]
    case 'invoice':
      return [
        {
          value: 'completed',
          title: 'The money is ours',
          text: 'Credit what was received, less the fee, to the company.',
        },
        { value: 'failed', title: 'Do not accept it', text: 'Credit nothing. The invoice is recorded as failed.' },
        { value: 'expired', title: 'Nothing was paid', text: 'Credit nothing. The invoice is recorded as expired.' },
      ]
    case 'payment':
      return [
        {
          value: 'completed',
          title: 'The money is ours',
          text: `Credit ${formatMoney(review.amount ?? '0')} USDT, less the fee, to the company.`,
        },
        { value: 'failed', title: 'Do not accept it', text: 'Credit nothing. The invoice does not change.' },
      ]
    case 'card_change':
      return [
        { value: 'completed', title: 'It happened', text: CARD_RESULTS[review.dossier.type] ?? 'The card changes.' },
        { value: 'failed', title: 'It did not happen', text: 'The card stays as it was. No money moves.' },
      ]
  }
}

const RESULTS: Readonly<Record<string, string | undefined>> = {
  issue: 'create the card',
  topup: 'put the amount on the card',
  service: 'record the receipt',
}

const CARD_RESULTS: Readonly<Record<string, string | undefined>> = {
  active: 'The card is active again. No money moves.',
  frozen: 'The card is frozen. No money moves.',
  closed: 'The card is closed and its balance returns to the card account.',
}

/** A decision as its choice was called: money that was refused did arrive, so no other words fit every review. */
export function describeDecision(review: Review, outcome: Outcome): string {
  const choice = choicesOf(review).find(({ value }) => value === outcome)
  return (choice?.title ?? outcome).toLowerCase()
}
