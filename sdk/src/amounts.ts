// Arithmetic on amounts, which are decimal strings such as "25.00". It never uses floating point: everything is a bigint
// of the smallest unit.

const AMOUNT = /^(-?)(\d{1,30})(?:\.(\d{1,18}))?$/

/** Returns the amount in its smallest unit: `parse("25.5")` is 2550n. Throws when it has more decimals than the unit. */
function parse(amount: string, decimals = 2): bigint {
  const { units, scale } = read(amount)
  if (scale <= decimals) return units * 10n ** BigInt(decimals - scale)
  const divisor = 10n ** BigInt(scale - decimals)
  if (units % divisor !== 0n) throw new RangeError(`${amount} has more than ${decimals} decimals.`)
  return units / divisor
}

/** Returns the amount of so many smallest units: `format(2550n)` is "25.50". */
function format(units: bigint, decimals = 2): string {
  if (typeof units !== 'bigint') throw new TypeError('Units must be a bigint, such as 2550n.')
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Returns the exact sum, with as many decimals as the amount that has the most, and at least two. */
function add(...amounts: readonly string[]): string {
  const decimals = Math.max(2, ...amounts.map((amount) => read(amount).scale))
  return format(
    amounts.reduce((sum, amount) => sum + parse(amount, decimals), 0n),
    decimals,
  )
}

/** Returns the exact difference `a - b`. */
function subtract(a: string, b: string): string {
  const decimals = Math.max(2, read(a).scale, read(b).scale)
  return format(parse(a, decimals) - parse(b, decimals), decimals)
}

/** Returns -1, 0 or 1, so that it can sort: "10" and "10.00" are equal. */
function compare(a: string, b: string): -1 | 0 | 1 {
  const decimals = Math.max(read(a).scale, read(b).scale)
  const difference = parse(a, decimals) - parse(b, decimals)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

function read(amount: string): { units: bigint; scale: number } {
  if (typeof amount !== 'string') throw new TypeError('An amount must be a string such as "25.00", not a number.')
  const match = AMOUNT.exec(amount)
  if (match === null) throw new RangeError(`${JSON.stringify(amount.slice(0, 60))} is not an amount such as "25.00".`)
  const [, sign = '', whole = '', fraction = ''] = match
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

export const amounts = {
  /** Turns an amount into units. */
  parse,
  /** Turns units into an amount. */
  format,
  /** The sum of the amounts. */
  add,
  /** The first amount minus the second. */
  subtract,
  /** -1, 0 or 1, for sorting and for `amounts.compare(a, b) > 0`. */
  compare,
} as const
