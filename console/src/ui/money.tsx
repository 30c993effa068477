// An amount as the API wrote it: never parsed, only grouped for reading.

interface Props {
  /** A decimal string of the API, such as `-28.05`. */
  readonly value: string
  readonly currency?: string
  /** For movements: a plus sign where the amount is positive. */
  readonly isMovement?: boolean
}

export function Money({ value, currency = 'USD', isMovement = false }: Props) {
  return (
    <span className="tabular">
      {formatMoney(value, isMovement)} <span className="muted">{currency}</span>
    </span>
  )
}

/** U+2212, which is as wide as the figures. A hyphen is not a minus sign. */
const MINUS = '−'
/** The decimals of an amount of USD. */
const CENTS = 2

/** The cents stay. */
function dropZeros(fraction: string): string {
  let length = fraction.length
  while (length > CENTS && fraction[length - 1] === '0') length -= 1
  return fraction.slice(0, length)
}

export function formatMoney(value: string, isMovement = false): string {
  const isNegative = value.startsWith('-')
  const [whole = '', fraction] = (isNegative ? value.slice(1) : value).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  // USDT has six decimals; those beyond the second are shown only where the amount has them.
  const figures = fraction === undefined ? grouped : `${grouped}.${dropZeros(fraction)}`
  const isZero = /^[0.]*$/.test(value.replace('-', ''))
  const sign = isNegative ? MINUS : isMovement && !isZero ? '+' : ''
  return sign + figures
}
