// Amounts as people type them. They stay texts: nothing here computes.

/** The format that the API accepts. A text in another format may be an amount that is still being typed. */
const AMOUNT = /^\d{1,13}(\.\d{1,2})?$/

export function isAmount(text: string): boolean {
  return AMOUNT.test(text)
}

/** Returns what was typed as the API writes it: many keyboards have a comma where the API has a point. */
export function readTyped(text: string): string {
  return text.trim().replace(',', '.')
}
