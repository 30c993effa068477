// Money in US dollars as an integer number of cents. Parsed once at the edge, formatted once on the way out;
// no floating point and no implicit rounding anywhere.
declare const brand: unique symbol
export type Cents = bigint & { readonly [brand]: true }

/** SPEC: "decimal strings of the form ^\d+(\.\d{1,2})?$ (up to two decimals)". */
export const AMOUNT_PATTERN = '^\\d+(\\.\\d{1,2})?$'
/** Ten digits of dollars: far above any card programme's single movement, far below bigint overflow when summed. */
export const AMOUNT_LENGTH_MAX = 13
/** A rate is kept as parts per million, so 0.2 % is 2000 and every product is an integer. */
export const RATE_SCALE = 1_000_000n

const AMOUNT = new RegExp(AMOUNT_PATTERN)

export const ZERO = 0n as Cents

export function cents(value: bigint): Cents {
  return value as Cents
}

/** Undefined when the text is not an amount. */
export function findCents(text: string): Cents | undefined {
  if (text.length > AMOUNT_LENGTH_MAX || !AMOUNT.test(text)) return undefined
  const point = text.indexOf('.')
  if (point === -1) return cents(BigInt(text) * 100n)
  return cents(BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(2, '0')))
}

/** For text that a schema has already checked. */
export function parseCents(text: string): Cents {
  const value = findCents(text)
  if (value === undefined) throw new TypeError('not an amount')
  return value
}

/** Always two decimals, a minus sign when negative, never a plus. */
export function formatCents(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The share of an amount at a rate in parts per million, rounded half-up to the cent. */
export function shareHalfUp(amount: Cents, ratePpm: bigint): Cents {
  return cents((amount * ratePpm + RATE_SCALE / 2n) / RATE_SCALE)
}

/** A decimal fraction from 0 to 1 with up to six decimals. */
export const RATE_PATTERN = '^(0(\\.\\d{1,6})?|1(\\.0{1,6})?)$'

/** "0.002" → `2000n`, for text that a schema has already checked against RATE_PATTERN. */
export function parseRate(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** `2000n` → "0.002": a decimal fraction without trailing zeros. */
export function formatRate(ratePpm: bigint): string {
  const fraction = (ratePpm % RATE_SCALE).toString().padStart(6, '0').replace(/0+$/, '')
  const whole = (ratePpm / RATE_SCALE).toString()
  return fraction === '' ? whole : `${whole}.${fraction}`
}
