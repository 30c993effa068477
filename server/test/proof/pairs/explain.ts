// Decides whether what two requests did at once is what they would have done one after the other. Pure.
import type { PairCall } from './calls.ts'
import { type Changes, differenceOf } from './snapshot.ts'

export interface Told {
  readonly call: PairCall
  readonly status: number
  readonly code: string
}

/** What the clients were told, and what is stored. */
export interface Result {
  readonly answers: readonly Told[]
  readonly changes: Changes
  /** Where the first request paused; undefined if it ended before. */
  readonly pausedAt: string | undefined
}

/** A result that is right. With `refused`, it is right only if this request was refused. */
export type Reference = Result & { readonly refused?: PairCall }

export const hasFailed = ({ answers }: Result) => answers.some(({ status }) => status >= 500)
export const textOf = ({ call, status, code }: Told) => `${call.name}: ${status}${code === '' ? '' : ` ${code}`}`

/** Returns why no reference explains the result; undefined if one does. */
export function explain(result: Result, references: readonly Reference[]): string | undefined {
  const told = result.answers.map(textOf).join(', ')
  if (hasFailed(result)) return `answers ${told}`
  const differences = references.map((reference) => {
    const stored = differenceOf(result.changes, reference.changes)
    if (result.answers.every((each) => fits(each, reference))) return stored
    return `answers ${told} instead of ${reference.answers.map(textOf).join(', ')}\n${stored ?? ''}`
  })
  if (differences.includes(undefined)) return undefined
  return differences.filter((_, index) => references[index]?.refused === undefined).join('\n  or\n')
}

/** Their answers show a session, a member or a passkey, which the other request may have ended or removed as soon as it was changed. */
const SHOWS_LATER = new Set([
  'signIn',
  'signInWithPasskey',
  'useLink',
  'changePassword',
  'joinCompany',
  'updateMe',
  'changeMemberRole',
  'changeRole',
  'renamePasskey',
])
const GONE: ReadonlySet<number> = new Set([401, 404])

const isRefused = ({ status }: Told) => status >= 400

/** A request may be refused for another reason than it would be later. */
function fits(told: Told, { answers, refused }: Reference): boolean {
  if (refused === told.call) return isRefused(told)
  return answers.some(
    (expected) =>
      expected.call === told.call &&
      (isRefused(told) === isRefused(expected) ||
        (GONE.has(told.status) && SHOWS_LATER.has(told.call.route.id)) ||
        // Whoever signs out while something else ends the session is signed out.
        (GONE.has(expected.status) && told.call.route.id === 'signOut')),
  )
}
