// Amounts as people type them. They stay texts: nothing here computes.

/** How a figure is written in a field and in the API. */
export interface TypedFormat {
  /** Returns what was typed as the API writes it, or the text itself if it is not such a figure or can be read in two ways. */
  read(text: string): string
  /** Returns what is wrong with what was typed, or undefined. An empty text is not wrong. */
  findProblem(text: string): string | undefined
}

/** Spaces and apostrophes only ever group figures. */
const GROUPING = /[\s'’]/g
/** A group of thousands never begins with a zero, so `0.001` has three decimals. */
const GROUPED_WITH_COMMAS = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/
const GROUPED_WITH_POINTS = /^[1-9]\d{0,2}(\.\d{3})+(,\d+)?$/

/** US dollars, as the API takes them: ten digits before the point. A text in another format may be an amount that is still being typed. */
export const USD = amountFormat(10, 2)
/** What arrived on the blockchain. */
export const USDT = amountFormat(9, 6)

export const isAmount = USD.isAmount

interface AmountFormat extends TypedFormat {
  isAmount(text: string): boolean
}

/** `1,000.00`, `1.000,00` and `1 000,00` are 1000.00. */
function amountFormat(digitsMax: number, decimalsMax: number): AmountFormat {
  const pattern = new RegExp(`^\\d{1,${digitsMax}}(\\.\\d{1,${decimalsMax}})?$`)
  const isRight = (text: string) => pattern.test(text)
  const read = (text: string) => {
    const typed = text.trim().replaceAll(GROUPING, '')
    if (isAmbiguous(typed)) return typed
    const plain = withoutGroups(typed)
    return isRight(plain) ? plain : typed
  }
  const findProblem = (text: string) => {
    const typed = read(text)
    if (isAmbiguous(typed)) return ambiguous(typed, decimalsMax)
    if (typed === '' || isRight(typed)) return undefined
    const plain = withoutGroups(typed)
    if (!/^\d+(\.\d+)?$/.test(plain)) return 'Enter an amount such as 25 or 25.00.'
    if ((plain.split('.')[0] ?? '').length > digitsMax) return 'Enter a smaller amount.'
    return `Enter at most ${decimalsMax === 2 ? 'two' : 'six'} decimals, such as 25.50.`
  }
  return { isAmount: isRight, read, findProblem }
}

function withoutGroups(typed: string): string {
  if (GROUPED_WITH_COMMAS.test(typed)) return typed.replaceAll(',', '')
  if (GROUPED_WITH_POINTS.test(typed)) return typed.replaceAll('.', '').replace(',', '.')
  return typed.replace(',', '.')
}

/** One separator before three figures: a thousand to some, and one with three decimals to others. */
function isAmbiguous(typed: string): boolean {
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(typed)
}

function ambiguous(typed: string, decimalsMax: number): string {
  const [whole = '', rest = ''] = typed.split(/[.,]/)
  const decimals = decimalsMax === 2 ? rest.slice(0, 2) : `${rest}0`
  return `Enter ${whole}${rest} or ${whole}.${decimals}: “${typed}” can mean either.`
}
