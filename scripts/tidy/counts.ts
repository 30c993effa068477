// Checks the counts that documents state about the code, such as "four OpenAPI documents". Each kind of thing that can be counted is
// given with its number; a document that states another number is wrong. A count that helps no reader is better left out.
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

export interface Count {
  /** The words after the number. */
  readonly things: string
  readonly actual: number
}

/** By value. Documents write larger numbers in digits. */
const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Counts are of plurals, because "one permission" mostly names one of them and does not count them all. */
export function checkCounts({ path, text }: Page, counts: readonly Count[]): Problem[] {
  return counts.flatMap(({ things, actual }) => {
    const pattern = new RegExp(
      String.raw`\b(\d[\d,]*|${WORDS.slice(2).join('|')})\s+${things.replaceAll(' ', String.raw`\s+`)}\b`,
      'gi',
    )
    return [...text.matchAll(pattern)]
      .filter(([, number = '']) => valueOf(number) !== actual)
      .map((match) => ({
        path,
        line: text.slice(0, match.index).split('\n').length,
        message: `there are ${actual} ${things}, not ${match[1]}; correct the number or leave it out`,
      }))
  })
}

function valueOf(number: string): number {
  const word = WORDS.indexOf(number.toLowerCase())
  return word === -1 ? Number(number.replaceAll(',', '')) : word
}
