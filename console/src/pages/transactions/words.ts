// What the types and states of card payments are called, and what a state means for the money.
import type { SpendCategoryId, Transaction, TransactionStatus, TransactionType } from '@cardstock/sdk'
import type { Tone } from '~/ui/statuses.ts'

export const TYPE_TITLES: Readonly<Record<TransactionType, string>> = {
  purchase: 'Purchase',
  refund: 'Refund',
  withdrawal: 'Withdrawal',
  verification: 'Verification',
  fee: 'Fee',
  adjustment: 'Adjustment',
}

/** As the server calls them. */
export const CATEGORY_TITLES: Readonly<Record<SpendCategoryId, string>> = {
  cash: 'Cash',
  fuel: 'Fuel and charging',
  groceries: 'Groceries',
  restaurants: 'Restaurants',
  travel: 'Travel',
  transport: 'Local transport',
  software: 'Software and online services',
  advertising: 'Advertising',
  telecom: 'Phone and utilities',
  office: 'Office supplies',
  health: 'Health',
  education: 'Education',
  entertainment: 'Entertainment',
  services: 'Business services',
  finance: 'Financial services',
  government: 'Government and taxes',
  shopping: 'Shopping',
  other: 'Other',
  unknown: 'Unknown',
}

export const TONES: Readonly<Record<TransactionStatus, Tone>> = {
  pending: 'blue',
  settled: 'green',
  declined: 'red',
  reversed: 'violet',
  expired: 'grey',
}

export function describeTransaction({ status, type, amount, description }: Transaction): string {
  const isDebit = amount.startsWith('-')
  if (status !== 'declined' && /^-?[0.]*$/.test(amount))
    return type === 'verification' ? 'The card was checked. No money moved.' : 'The amount is zero. No money moved.'
  switch (status) {
    case 'pending':
      return isDebit
        ? 'The merchant has reserved the amount on the card but has not collected it yet.'
        : 'The credit has been announced but is not on the card yet.'
    case 'settled':
      return isDebit ? 'The merchant collected the amount from the card.' : 'The amount was credited.'
    case 'declined':
      return description === ''
        ? 'Declined; no money moved. Check that the card is active and its balance is sufficient.'
        : `Declined; no money moved. Reason: ${description}.`
    case 'reversed':
      // The card may be closed since. Then the amount is on the card account, less what another payment took.
      return isDebit
        ? 'The merchant cancelled the reservation. The amount is no longer reserved.'
        : 'The credit was withdrawn. It did not reach the card.'
    case 'expired':
      return isDebit
        ? 'The merchant did not collect the amount in time. It is no longer reserved, but may still be collected later.'
        : 'The credit did not arrive in time. It is not on the card. It may still arrive later.'
  }
}

/** A payment without a known merchant is named after its type. */
export function titleOf({ merchant, type }: Transaction): string {
  return merchant === '' ? TYPE_TITLES[type] : merchant
}
