// Paths with values in them: every value becomes exactly one segment, whatever characters it holds.
import { CardstockError } from './errors.ts'

export function path(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return strings.reduce((text, part, index) => `${text}${segment(values[index - 1] ?? '')}${part}`)
}

/** An empty segment or dots would turn the address of one object into that of a list. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new CardstockError('An id is empty or made of dots.', { code: 'invalid_argument' })
  }
  return encodeURIComponent(value)
}
