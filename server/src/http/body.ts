// Parses JSON bodies. Refuses what is not UTF-8, what PostgreSQL cannot store, what could poison a prototype, and duplicate keys, before
// anything else sees the body.
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'
import { findDuplicateKey } from './duplicate-keys.ts'
import { locateJsonError } from './json-error.ts'
import { isStorable } from '../lib/storable.ts'

type Done = (error: Error | null, body?: unknown) => void

/** Passes the parsed body on; undefined for an empty one, because a POST without fields may still say that it is JSON. */
export function parseJson(text: string, done: Done): void {
  if (text.trim() === '') {
    done(null, undefined)
    return
  }
  try {
    const body: unknown = JSON.parse(text, text.includes('"__proto__"') ? refusePrototype : undefined)
    if (SUSPECT.test(text)) requireStorable(body)
    requireDistinctKeys(text, body)
    done(null, body)
  } catch (error) {
    done(explain(error as Error, text))
  }
}

function explain(error: Error, text: string): Error {
  if (error instanceof SyntaxError) return notJson(text)
  // The checks recurse, so nesting deeper than the stack is refused as an invalid body.
  if (error instanceof RangeError)
    return new ApiError('validation_failed', 'The body is nested too deeply. Send fewer levels.')
  return error
}

/** Says where the body is broken without repeating any of it. */
function notJson(text: string): ApiError {
  const { line, column, isCut } = locateJsonError(text)
  const problem = isCut
    ? `it ends at line ${line}, column ${column}, before it is complete`
    : `line ${line}, column ${column} is not what JSON allows there`
  return new ApiError('validation_failed', `The body is not valid JSON: ${problem}.`, { details: { line, column } })
}

/** Other bytes would become U+FFFD, so that what is stored is not what was sent. */
export function requireUtf8(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new ApiError('validation_failed', 'The body is not valid UTF-8. Send it in UTF-8.')
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__')
    throw new ApiError('validation_failed', 'body.__proto__ is not a known field here; remove it.', {
      param: '__proto__',
    })
  return value
}

function requireDistinctKeys(text: string, body: unknown): void {
  const path = findDuplicateKey(text, body)
  if (path === undefined) return
  throw new ApiError('validation_failed', `body.${path} is given twice; send each field once.`, { param: path })
}

const NUL_REFUSED = 'Text must not contain the character U+0000. Remove it.'
/** These characters can only occur as escapes: unescaped, they are not valid JSON or not valid UTF-8. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

function requireStorable(value: unknown): void {
  if (isStorable(JSON.stringify(value))) return
  throw new ApiError(
    'validation_failed',
    'Text must not contain the character U+0000 or half of a surrogate pair. Remove it.',
  )
}

export function requireNoNul(url: string): void {
  if (url.includes('%00')) throw new ApiError('validation_failed', NUL_REFUSED)
}
