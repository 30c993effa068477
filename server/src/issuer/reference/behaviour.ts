// How the reference issuer behaves, and how it is told to misbehave: for one kind of request or all, once, a number of
// times or until told otherwise.
import type { RequestKind } from '../http/protocol.ts'

/**
 * `act_then_…` does its work first, so that only the answer is lost. `hang` never answers, `cut` breaks the answer off,
 * `fail` answers 500, `garbage` answers nonsense, `unsigned` and `wrong_amount` answer what may not be trusted.
 */
export const MODES = [
  'normal',
  'refuse',
  'delay',
  'hang',
  'act_then_hang',
  'fail',
  'act_then_fail',
  'garbage',
  'act_then_garbage',
  'act_then_cut',
  'unsigned',
  'wrong_amount',
] as const
export type Mode = (typeof MODES)[number]

/** `duplicate` sends each event three times, `reorder` the newest first, `hold` none. */
export const EVENT_MODES = ['normal', 'duplicate', 'reorder', 'hold'] as const
export type EventMode = (typeof EVENT_MODES)[number]

export type Subject = RequestKind | 'look_up' | 'all'

export interface Rule {
  readonly mode: Mode
  readonly delayMs: number
  /** How often it applies; then the kind is normal again. */
  readonly times: number
}

export interface Behaviour {
  set(subject: Subject, rule: Rule): void
  /** The rule for a request that just came, used up by one. Look-ups have only rules of their own. */
  next(subject: Exclude<Subject, 'all'>): Rule
  events: EventMode
  /** Whether it fences tokens; without, the look-up with a fence is answered 404. */
  hasFence: boolean
}

const NORMAL: Rule = { mode: 'normal', delayMs: 0, times: Number.POSITIVE_INFINITY }

export function createBehaviour(): Behaviour {
  const rules = new Map<Subject, Rule>()
  return {
    events: 'normal',
    hasFence: true,
    set(subject, rule) {
      rules.set(subject, rule)
    },
    next(subject) {
      const found = rules.has(subject) ? subject : subject === 'look_up' ? undefined : 'all'
      const rule = found === undefined ? undefined : rules.get(found)
      if (found === undefined || rule === undefined || rule.times <= 0) return NORMAL
      rules.set(found, { ...rule, times: rule.times - 1 })
      return rule
    },
  }
}
