// Decides what an answer means for its delivery and its endpoint, and when the next attempt is due. Pure.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The delay before each of the ten attempts, about 75 hours in total. */
export const ATTEMPT_DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const
/** Jitter in both directions, so that deliveries that failed together are not retried together. */
const JITTER = 0.1
/** The longest Retry-After that is honoured for one event: the schedule's own longest delay. */
const RETRY_AFTER_MAX_MS = DAY_MS
/** The longest Retry-After that is honoured for the whole endpoint: a mistaken header must not silence it for a day. */
const PAUSE_REQUESTED_MAX_MS = HOUR_MS
/** An endpoint whose deliveries have all failed for this long is disabled. */
export const FAILING_MAX_MS = 5 * DAY_MS
/** After this many failures in a row, one delivery at a time is tried. take_deliveries has the same number. */
export const BREAKER_FAILURES = 5
/** The pauses between these tries: a repaired receiver is soon noticed, and a broken one costs little. */
const BREAKER_PAUSE_FIRST_MS = 5 * SECOND_MS
const BREAKER_PAUSE_MAX_MS = MINUTE_MS

export type Answer =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly retryAfter?: string | undefined }
  | { readonly kind: 'unanswered' }

export interface Judgement {
  readonly status: 'delivered' | 'pending' | 'failed'
  /** When to try again. */
  readonly dueAt: Date | null
  /** How long the receiver asked to be left alone. */
  readonly pauseMs: number
  /** It answered 410: it asked never to be called again. */
  readonly isGone: boolean
}

/** `random` is from 0 to 1. */
export function judge(answer: Answer, attempt: { number: number; now: Date; random: number }): Judgement {
  const statusCode = answer.kind === 'answered' ? answer.statusCode : 0
  if (statusCode >= 200 && statusCode < 300) return { status: 'delivered', dueAt: null, pauseMs: 0, isGone: false }
  const isGone = statusCode === 410
  const askedMs =
    answer.kind === 'answered' && (statusCode === 429 || statusCode === 503)
      ? parseRetryAfter(answer.retryAfter, attempt.now)
      : 0
  const pauseMs = Math.min(askedMs, PAUSE_REQUESTED_MAX_MS)
  const delayMs = ATTEMPT_DELAYS_MS[attempt.number]
  if (delayMs === undefined) return { status: 'failed', dueAt: null, pauseMs, isGone }
  const waitMs = Math.max(withJitter(delayMs, attempt.random), Math.min(askedMs, RETRY_AFTER_MAX_MS))
  return { status: 'pending', dueAt: new Date(attempt.now.getTime() + waitMs), pauseMs, isGone }
}

function withJitter(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + JITTER * (2 * random - 1)))
}

/** RFC 9110: seconds, or a date. Anything else counts as not given. */
export function parseRetryAfter(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS
  const at = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime())
}

/** Returns how long an endpoint rests after this many failures in a row. */
export function breakerPauseMs(failures: number): number {
  if (failures < BREAKER_FAILURES) return 0
  return Math.min(BREAKER_PAUSE_MAX_MS, BREAKER_PAUSE_FIRST_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 10))
}
