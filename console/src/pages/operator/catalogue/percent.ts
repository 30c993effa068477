// Rates in per cent, and what a price costs on an example. All on decimal strings, because a price is money.
import { amounts, type Pricing } from '@cardstock/sdk'
import { toPercent } from '~/features/order/fee-rule.ts'
import type { TypedFormat } from '~/lib/amount.ts'
import type { PricingText } from './pricing-fields.tsx'

const DECIMAL = /^\d+(?:\.\d+)?$/

/** "0.2" per cent is "0.002". What is no decimal is left alone: the server says what is wrong with it. */
export function toFraction(percent: string): string {
  if (!DECIMAL.test(percent)) return percent
  const [whole = '0', fraction = ''] = percent.split('.')
  const digits = whole.padStart(3, '0')
  const moved = `${digits.slice(0, -2)}.${digits.slice(-2)}${fraction}`
  return trimEnd(moved.replace(/^0+(?=\d)/, ''))
}

/** A fraction as the API takes it. */
const RATE = /^(0(\.\d{1,6})?|1)$/

/** Per cent as people type them: `0,2 %` is 0.2. */
export const PERCENT: TypedFormat = {
  read: (text) => text.replaceAll(/[\s%]/g, '').replace(',', '.'),
  findProblem: (text) => {
    const typed = PERCENT.read(text)
    if (typed === '' || RATE.test(toFraction(typed))) return undefined
    return 'Enter per cent from 0 to 100 with at most four decimals, such as 0.2.'
  },
}

/** "0.20" is "0.2", and "1.00" is "1". */
function trimEnd(decimal: string): string {
  let end = decimal.length
  while (decimal[end - 1] === '0') end -= 1
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end)
}

/** Returns a price as the fields show it. */
export function toText(pricing: Pricing | null): PricingText {
  const { rate, ...others } = pricing ?? { rate: null }
  const filled = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== null)
  return { ...Object.fromEntries(filled), ...(rate === null ? {} : { rate: toPercent(rate) }) }
}

/** The amount of the example. A rate has at most six decimals, so that its part of this amount is whole cents. */
export const EXAMPLE_AMOUNT = '10000.00'

/** Returns the fee on the example, or undefined if a field is no decimal. */
export function feeOnExample({ flatFee = '', rate = '', minimumFee = '' }: PricingText): string | undefined {
  const [flat, percent, least] = [flatFee, rate, minimumFee].map((text) => (text.trim() === '' ? '0' : text.trim()))
  if (flat === undefined || percent === undefined || least === undefined) return undefined
  if (![flat, percent, least].every((text) => DECIMAL.test(text))) return undefined
  const [whole = '0', fraction = ''] = percent.split('.')
  // Per cent of 10,000 are hundreds: the point moves by two places.
  const part = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}.${fraction.slice(2, 4).padEnd(2, '0')}`
  const fee = amounts.add(flat, part)
  return amounts.compare(fee, least) < 0 ? amounts.add(least, '0.00') : fee
}
