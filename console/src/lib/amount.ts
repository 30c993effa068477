// Amounts as people type them. They stay texts: nothing here computes.

/** The format that the API accepts. A text in another format may be an amount that is still being typed. */
const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/

export function isAmount(text: string): boolean {
  return AMOUNT.test(text)
}

/** Spaces and apostrophes only ever group figures. */
const GROUPING = /[\s'’]/g
const GROUPED_WITH_COMMAS = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/
const GROUPED_WITH_POINTS = /^\d{1,3}(\.\d{3})+(,\d{1,2})?$/

/**
 * Returns what was typed as the API writes it: `1,000.00`, `1.000,00` and `1 000,00` are 1000.00. A text that can be read in two ways, such
 * as `1,000`, and one that is no amount are returned as they are.
 */
export function readTyped(text: string): string {
  const typed = text.trim().replaceAll(GROUPING, '')
  if (isAmbiguous(typed)) return typed
  if (GROUPED_WITH_COMMAS.test(typed)) return typed.replaceAll(',', '')
  if (GROUPED_WITH_POINTS.test(typed)) return typed.replaceAll('.', '').replace(',', '.')
  const withPoint = typed.replace(',', '.')
  return isAmount(withPoint) ? withPoint : typed
}

/** One separator before three figures: a thousand to some, and one with three decimals to others. */
function isAmbiguous(typed: string): boolean {
  return /^\d{1,3}[.,]\d{3}$/.test(typed)
}

/** Returns what is wrong with an amount that was typed, or undefined. */
export function findAmountProblem(text: string): string | undefined {
  const typed = readTyped(text)
  if (typed === '' || isAmount(typed)) return undefined
  const [whole = '', rest = ''] = typed.split(/[.,]/)
  if (isAmbiguous(typed)) return `Enter ${whole}${rest} or ${whole}.${rest.slice(0, 2)}: “${typed}” can mean either.`
  if (/^\d+[.,]\d{3,}$/.test(typed)) return 'Enter at most two decimals, such as 25.50.'
  return 'Enter an amount such as 25 or 25.00.'
}
