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
  | { readonly kind: 'unknown' }

export type NextStep =
  | { readonly kind: 'complete' }
  | { readonly kind: 'fail'; readonly failure: Failure }
  /** Certain that nothing was sent: send it at this time. */
  | { readonly kind: 'send_again'; readonly at: Date }
  | { readonly kind: 'look_up'; readonly at: Date }
  | { readonly kind: 'review' }

/** How often something was done, and the pause before each further time. When the pauses are used up it is not done again. */
export interface Schedule {
  readonly done: number
  readonly delaysMs: readonly number[]
}

export interface Attempts {
  readonly now: Date
  readonly lookUps: Schedule
  /** Left out for what is never sent again, because a client is waiting for the answer. */
  readonly sends?: Schedule
}

const UNREACHABLE: Failure = {
  code: 'issuer_unreachable',
  message: 'The issuer could not be reached, and nothing was sent to it. Try again later.',
}

type Decisions = {
  readonly [Kind in Evidence['kind']]: (evidence: Extract<Evidence, { kind: Kind }>, attempts: Attempts) => NextStep
}

/** DESIGN 5: the table of outcomes. */
const DECISIONS: Decisions = {
  confirmed: () => ({ kind: 'complete' }),
  declined: ({ code, message }) => ({ kind: 'fail', failure: { code, message } }),
  not_sent: (_, { now, sends }) => {
    const at = sends === undefined ? undefined : findNextTime(now, sends)
    return at === undefined ? { kind: 'fail', failure: UNREACHABLE } : { kind: 'send_again', at }
  },
  unknown: (_, { now, lookUps }) => {
    const at = findNextTime(now, lookUps)
    return at === undefined ? { kind: 'review' } : { kind: 'look_up', at }
  },
}

export function nextStep(evidence: Evidence, attempts: Attempts): NextStep {
  const decide = DECISIONS[evidence.kind] as (evidence: Evidence, attempts: Attempts) => NextStep
  return decide(evidence, attempts)
}

function findNextTime(now: Date, { done, delaysMs }: Schedule): Date | undefined {
  const delayMs = delaysMs[done]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}
