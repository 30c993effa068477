// Arrays as PostgreSQL writes them. The driver does it too, with two replacements per element: a batch of operations has
// four thousand elements, and that was a tenth of what a request costs.

/** What needs no quotes in an array, whatever the type of its elements. */
const PLAIN = /^[\w.:@+/-]+$/
const SPECIAL = /["\\]/g

/** Of values that it does not know (bytes, arrays in arrays) nothing is made: those are the driver's. */
export function toArrayLiteral(values: readonly unknown[]): unknown {
  let text = ''
  for (const value of values) {
    const element = toElement(value)
    if (element === undefined) return values
    text += text === '' ? element : `,${element}`
  }
  return `{${text}}`
}

function toElement(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') {
    return PLAIN.test(value) && !isNull(value) ? value : `"${value.replace(SPECIAL, '\\$&')}"`
  }
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** The word, which without quotes would be nothing. */
function isNull(value: string): boolean {
  return value.length === 4 && value.toUpperCase() === 'NULL'
}

/** Of values that need no quotes and are never missing: ids, numbers, words of our own. A third of the cost. */
export function toPlainArray(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`
}
