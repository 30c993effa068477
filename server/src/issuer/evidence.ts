// Decides what follows from an issuer's answer, for everything that is asked of one: operations, invoices and card
// changes. Pure: it reads no clock and no database. It never turns an unknown outcome into an end.

export interface Failure {
  readonly code: string
  readonly message: string
}

/** What is known after asking an issuer. Every outcome in port.ts is one of these, with more about a confirmation. */
export type Evidence =
  | { readonly kind: 'confirmed' }
  | ({ readonly kind: 'declined' } & Failure)
  | { readonly kind: 'not_sent' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'not_asked' }
  /** `answered` is true if the issuer itself said that it does not know. */
  | { readonly kind: 'unknown'; readonly answered?: boolean }

export type NextStep =
  | { readonly kind: 'complete' }
  | { readonly kind: 'fail'; readonly failure: Failure }
  /** Certain that nothing was sent: send it at this time. */
  | { readonly kind: 'send_again'; readonly at: Date }
  /** `lookUps`: how many look-ups have been answered by then. */
  | { readonly kind: 'look_up'; readonly at: Date; readonly lookUps: number }
  | { readonly kind: 'review' }

/** How often something was done, and the pause before each further time. When the pauses are used up it is not done again. */
export interface Schedule {
  readonly done: number
  readonly delaysMs: readonly number[]
}

export interface Attempts {
  readonly now: Date
  /** Since when the outcome has been open. */
  readonly since: Date
  readonly purpose: 'request' | 'look_up'
  /** Look-ups that were answered before this one. */
  readonly lookUps: Schedule
  /** Left out for what is never sent again, because a client is waiting for the answer. */
  readonly sends?: Schedule
}

const UNREACHABLE: Failure = {
  code: 'issuer_unreachable',
  message: 'The issuer could not be reached, and nothing was sent to it. Try again later.',
}
const NOT_CARRIED_OUT: Failure = {
  code: 'not_carried_out',
  message:
    'The issuer did not carry this out and never will. Nothing happened and nothing was charged; order it again.',
}

/** A look-up that could not be made, or got no answer, is made again after a part of the time that has passed, so that the pauses grow. */
const RETRY_SHARE = 0.5
const RETRY_MIN_MS = 1_000
const RETRY_MAX_MS = 60_000
/** The pause between look-ups that are sent and not answered is longer, because a review shows each of them. */
const UNANSWERED_RETRY_MAX_MS = 600_000
/** For this long the last look-up is made again if it is not answered. Longer than most faults of a network. */
export const UNANSWERED_MAX_MS = 3_600_000
/** After this long without being able to ask, a person decides. Longer than an outage; shorter than people forget. */
export const UNASKED_MAX_MS = 24 * 3_600_000

type Decisions = {
  readonly [Kind in Evidence['kind']]: (evidence: Extract<Evidence, { kind: Kind }>, attempts: Attempts) => NextStep
}

const DECISIONS: Decisions = {
  confirmed: () => ({ kind: 'complete' }),
  declined: ({ code, message }) => ({ kind: 'fail', failure: { code, message } }),
  not_sent: (_, { now, sends }) => {
    const at = sends === undefined ? undefined : findNextTime(now, sends)
    return at === undefined ? { kind: 'fail', failure: UNREACHABLE } : { kind: 'send_again', at }
  },
  // The issuer promised that it will refuse the request if it still arrives.
  absent: () => ({ kind: 'fail', failure: NOT_CARRIED_OUT }),
  // Not being able to ask is not an answer: it uses up none of the look-ups.
  not_asked: (_, { now, since, lookUps }) => {
    const openMs = now.getTime() - since.getTime()
    if (openMs > UNASKED_MAX_MS) return { kind: 'review' }
    return { kind: 'look_up', at: addPause(now, openMs, RETRY_MAX_MS), lookUps: lookUps.done }
  },
  unknown: ({ answered }, { now, since, purpose, lookUps: { done, delaysMs } }) => {
    const lookUps = purpose === 'look_up' ? done + 1 : done
    const at = findNextTime(now, { done: lookUps, delaysMs })
    if (at !== undefined) return { kind: 'look_up', at, lookUps }
    // Without an answer to the last look-up a person would have to ask what the server can ask itself a little later.
    const openMs = now.getTime() - since.getTime()
    if (purpose === 'request' || answered === true || openMs > UNANSWERED_MAX_MS) return { kind: 'review' }
    return { kind: 'look_up', at: addPause(now, openMs, UNANSWERED_RETRY_MAX_MS), lookUps: done }
  },
}

export function nextStep(evidence: Evidence, attempts: Attempts): NextStep {
  const decide = DECISIONS[evidence.kind] as (evidence: Evidence, attempts: Attempts) => NextStep
  return decide(evidence, attempts)
}

/** Whether a person decides if this look-up tells nothing. */
export function isLastLookUp({ done, delaysMs }: Schedule): boolean {
  return done + 1 >= delaysMs.length
}

function addPause(now: Date, openMs: number, maxMs: number): Date {
  const pauseMs = Math.min(Math.max(openMs * RETRY_SHARE, RETRY_MIN_MS), maxMs)
  return new Date(now.getTime() + pauseMs)
}

function findNextTime(now: Date, { done, delaysMs }: Schedule): Date | undefined {
  const delayMs = delaysMs[done]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}
