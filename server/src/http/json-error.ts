// Finds where a text stops being JSON, for the refusal. JSON.parse names no place for some errors, and repeats the text in
// others, which may hold secrets. Must only be given text that JSON.parse refused.

/** Where the text is wrong, both counted from 1; `isCut`: it ends before it is complete. */
export interface JsonError {
  readonly line: number
  readonly column: number
  readonly isCut: boolean
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

/** What may come next. `first` is the place after a bracket, which may also be closed again. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma'

export function locateJsonError(text: string): JsonError {
  const at = findError(text)
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, isCut: at >= text.length }
}

function findError(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = skip(SPACE, text, 0)
  while (at < text.length) {
    const character = text.charAt(at)
    let next: number
    if (isEnd(character, expected, open)) {
      open.pop()
      next = at + 1
      expected = 'comma'
    } else if (expected === 'comma') {
      if (character !== ',' || open.length === 0) return at
      next = at + 1
      expected = open.at(-1) === '{' ? 'key' : 'value'
    } else if (expected === 'colon') {
      if (character !== ':') return at
      next = at + 1
      expected = 'value'
    } else if (expected === 'key' || expected === 'first key') {
      if (character !== '"') return at
      const string = readString(text, at)
      if (!string.isWhole) return string.end
      next = string.end
      expected = 'colon'
    } else if (character === '{' || character === '[') {
      open.push(character)
      next = at + 1
      expected = character === '{' ? 'first key' : 'first value'
    } else {
      const scalar = readScalar(text, at)
      if (!scalar.isWhole) return scalar.end
      next = scalar.end
      expected = 'comma'
    }
    at = skip(SPACE, text, next)
  }
  return at
}

function isEnd(character: string, expected: Expected, open: readonly string[]): boolean {
  const bracket = open.at(-1)
  if (bracket === '{') return character === '}' && (expected === 'comma' || expected === 'first key')
  return bracket === '[' && character === ']' && (expected === 'comma' || expected === 'first value')
}

interface Token {
  /** The index after the token, or of its first wrong character. */
  readonly end: number
  readonly isWhole: boolean
}

function readScalar(text: string, at: number): Token {
  if (text.charAt(at) === '"') return readString(text, at)
  const end = Math.max(skip(NUMBER, text, at), skip(NAME, text, at))
  return { end, isWhole: end > at }
}

function readString(text: string, start: number): Token {
  let at = start + 1
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '"') return { end: at + 1, isWhole: true }
    if (character < ' ') return { end: at, isWhole: false }
    const next = character === '\\' ? skip(ESCAPE, text, at) : at + 1
    if (next === at) return { end: at, isWhole: false }
    at = next
  }
  return { end: at, isWhole: false }
}

/** Returns the index after what the pattern matches here, or the same index if it matches nothing. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
