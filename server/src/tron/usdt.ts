// Amounts of USDT as an integer number of micro-USDT, its smallest unit on TRON. SPEC: "must never be rounded".
import { type Cents, cents } from '../lib/money.ts'

declare const brand: unique symbol
export type Micros = bigint & { readonly [brand]: true }

/** Up to nine digits before the point: above any transfer, and a thousand of them still fit a bigint. */
export const USDT_PATTERN = '^\\d{1,9}(\\.\\d{1,6})?$'
const USDT = new RegExp(USDT_PATTERN)
const DECIMALS = 6
/** One US cent in micro-USDT. Invoices count one USDT as one dollar. */
const MICROS_PER_CENT = 10_000n

export function micros(value: bigint): Micros {
  return value as Micros
}

/** Undefined when the text is not an amount of USDT. */
export function findMicros(text: string): Micros | undefined {
  if (!USDT.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return micros(BigInt(whole + fraction.padEnd(DECIMALS, '0')))
}

/** For text that a schema has already checked. */
export function parseMicros(text: string): Micros {
  const value = findMicros(text)
  if (value === undefined) throw new TypeError('not an amount of USDT')
  return value
}

/** Always six decimals. */
export function formatMicros(value: bigint): string {
  const digits = value.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}

/** For people: two decimals, and more only where the amount has more. */
export function formatShortMicros(value: bigint): string {
  return formatMicros(value).replace(/0{1,4}$/, '')
}

export function microsOfCents(amount: Cents): Micros {
  return micros(amount * MICROS_PER_CENT)
}

export function centsRoundedDown(amount: Micros): Cents {
  return cents(amount / MICROS_PER_CENT)
}
