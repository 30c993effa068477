// Reading bodies. What PostgreSQL cannot store, and what could poison a prototype, is refused before anyone sees it.
import { ApiError } from '../errors.ts'
import { isStorable } from '../lib/storable.ts'

type Done = (error: Error | null, body?: unknown) => void

/** An empty body is no body: a POST without fields may still say that it is JSON. */
export function parseJson(text: string, done: Done): void {
  if (text.trim() === '') {
    done(null, undefined)
    return
  }
  try {
    const body: unknown = JSON.parse(text, text.includes('"__proto__"') ? refusePrototype : undefined)
    if (SUSPECT.test(text)) requireStorable(body)
    done(null, body)
  } catch (error) {
    // The reviver and the serialiser recurse: nesting deeper than the stack is the sender's mistake, not ours.
    done(
      error instanceof RangeError
        ? new ApiError('validation_failed', 'The body is nested too deeply.')
        : (error as Error),
    )
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__')
    throw new ApiError('validation_failed', 'body.__proto__ is not a known field here; remove it.')
  return value
}

const NUL_REFUSED = 'Text must not contain the character U+0000.'
/** Raw, they are no JSON or no UTF-8: only an escape can bring them. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

function requireStorable(value: unknown): void {
  if (isStorable(JSON.stringify(value))) return
  throw new ApiError('validation_failed', 'Text must not contain the character U+0000 or half of a surrogate pair.')
}

export function requireNoNul(url: string): void {
  if (url.includes('%00')) throw new ApiError('validation_failed', NUL_REFUSED)
}
