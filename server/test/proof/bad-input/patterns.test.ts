// No regular expression of the sources or of the documents takes more than linear time, or its input is bounded and listed
// with the reason. Patterns are found in the syntax trees of the sources, so that a new one is checked automatically. Checking them
// all takes most of a minute, so the tests skip those on the list that `npm run patterns` makes.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { BOUNDED, CONSTRUCTED } from './bounded-patterns.ts'
import { findPatterns } from './patterns.ts'

/** One pattern takes the checker a tenth of a second, and few take more than two. This only ends a check that hangs. */
const CHECK_MS_MAX = 120_000

interface Diagnosis {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly complexity?: { readonly summary: string }
  readonly attack?: { readonly pattern: string }
}

// The pure JavaScript build: the others need a binary for this platform, or Java.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync(source: string, flags: string, options: { timeout: number }): Diagnosis
}
const check = (source: string, flags: string) => checkSync(source, flags, { timeout: CHECK_MS_MAX })

/** The literals that the checker found safe. */
const SAFE = new URL('safe-patterns.json', import.meta.url)
const { literals, constructed } = findPatterns()

it('the checker recognises a pattern that takes exponential time, and one that takes quadratic time', () => {
  expect(check('^(a+)+$', '').status).toBe('vulnerable')
  expect(check('\\s+$', '').status).toBe('vulnerable')
})

it('the patterns of sources and documents are found', () => {
  expect(literals.size).toBeGreaterThan(100)
  expect(literals.get('/^[A-Z]{3}$/u')?.files).toContain('openapi.json')
  expect(literals.get('/^[\\x21-\\x7e]+$/')?.files).toContain('server/src/http/idempotency-key.ts')
})

it('every pattern that is made from text is listed', () => {
  const places = [...constructed].flatMap(([file, count]) => Array.from({ length: count }, () => file))
  const listed = Object.entries(CONSTRUCTED).flatMap(([file, patterns]) => patterns.map(() => file))
  expect(places.toSorted()).toEqual(listed.toSorted())
})

it('what is listed as bounded is still used', () => {
  expect(Object.keys(BOUNDED).filter((name) => !literals.has(name))).toEqual([])
})

it('every pattern is safe, or its input is bounded', () => {
  const names = [...literals.keys(), ...Object.values(CONSTRUCTED).flat().map(String)]
  const unlisted = [...new Set(names)].filter((name) => BOUNDED[name] === undefined).toSorted()
  const isUpdate = process.env['UPDATE_PATTERNS'] === '1'
  const safe = new Set(isUpdate ? [] : (JSON.parse(readFileSync(SAFE, 'utf8')) as string[]))
  expect(unlisted.filter((name) => !safe.has(name)).flatMap(findProblem)).toEqual([])
  if (isUpdate) writeFileSync(SAFE, `${JSON.stringify(unlisted, null, 2)}\n`)
})

function findProblem(name: string): string[] {
  const end = name.lastIndexOf('/')
  const { status, complexity, attack } = check(name.slice(1, end), name.slice(end + 1))
  const files = [...(literals.get(name)?.files ?? ['a file of CONSTRUCTED'])].join(', ')
  return status === 'safe' ? [] : [`${name} in ${files}: ${complexity?.summary}, ${attack?.pattern}`]
}
