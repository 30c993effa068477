// Tells a provider that does not answer for the moment from settings that are wrong.
import { SetUpError, UnreachableError } from '../set-up-error.ts'
import type { Read } from './judge.ts'

/** Returns the error for something that a check could not read. `advice` says what to change, unless the provider has trouble that passes. */
export function toCheckError(read: Exclude<Read<unknown>, { kind: 'read' }>, advice: string): Error {
  if (read.kind === 'absent') return new SetUpError(advice)
  const { status } = read
  const passes = status === undefined || status === 429 || status >= 500
  return passes ? new UnreachableError(read.reason) : new SetUpError(advice)
}
