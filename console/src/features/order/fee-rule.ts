// The rule of a fee in words, from the strings of the catalogue.
import type { Pricing } from '@cardstock/sdk'
import { formatMoney } from '~/ui/money.tsx'

/** `3.00 + 0.2% of the amount`. */
export function describeFee({ flatFee, rate, minimumFee, fixedPrice }: Pricing): string {
  if (fixedPrice !== null && flatFee === null && rate === null) return 'included in the price'
  const parts = [
    flatFee === null || isZero(flatFee) ? undefined : formatMoney(flatFee),
    rate === null || isZero(rate) ? undefined : `${toPercent(rate)}% of the amount`,
  ].filter((part) => part !== undefined)
  const rule = parts.length === 0 ? 'none' : parts.join(' + ')
  return minimumFee === null || isZero(minimumFee) ? rule : `${rule}, at least ${formatMoney(minimumFee)}`
}

/** What amounts the rule allows, or undefined when it allows all. */
export function describeLimits({ minimumAmount, maximumAmount }: Pricing): string | undefined {
  if (minimumAmount !== null && maximumAmount !== null)
    return `From ${formatMoney(minimumAmount)} to ${formatMoney(maximumAmount)} USD`
  if (minimumAmount !== null) return `At least ${formatMoney(minimumAmount)} USD`
  return maximumAmount === null ? undefined : `At most ${formatMoney(maximumAmount)} USD`
}

const isZero = (decimal: string) => /^[0.]*$/.test(decimal)

/** Moves the decimal point by two places: "0.002" is "0.2". */
export function toPercent(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.')
  const digits = fraction.padEnd(2, '0')
  const moved = `${whole}${digits.slice(0, 2)}.${digits.slice(2)}`
  return moved.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, '')
}
