// Writes CSV (RFC 4180). Text that a spreadsheet would take for a formula gets a quote before it, which `read.ts` removes again.

const LINE_END = '\r\n'

/** Spreadsheets read a cell that begins like this as a formula, unless it is a number. */
const FORMULA_STARTS = '=+-@\t\r\n|%＝＋－＠'
const NUMBER = /^-?\d{1,30}(\.\d{1,18})?$/

/** Returns one line with its end. */
export function toCsvLine(cells: readonly string[]): string {
  return cells.map(toCsvCell).join(',') + LINE_END
}

export function toCsvCell(text: string): string {
  const safe = isFormula(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Reports whether the text begins like a formula, perhaps behind quotes that a writer has put before it.
 * @internal
 */
export function isFormula(text: string): boolean {
  let start = 0
  while (text[start] === "'") start += 1
  const first = text[start]
  return first !== undefined && FORMULA_STARTS.includes(first)
}
