// How the reference issuer behaves, and the rules that make it misbehave: for one kind of request or all, for a number of
// times or until the rule is changed.
import type { EventMode } from '../outbox/outbox.ts'
import { REQUEST_KINDS, type RequestKind } from '../../issuer/http/protocol.ts'

/**
 * `act_then_…` carries the request out first, so that only the answer is lost. `hang` never answers, `cut` breaks the answer
 * off, `fail` answers 500, `garbage` answers garbage, and `unsigned` and `wrong_amount` give an answer that cannot be trusted.
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

export type Subject = RequestKind | 'look_up' | 'all'

export interface Rule {
  readonly mode: Mode
  readonly delayMs: number
  /** How many requests it applies to. After that the kind is normal again. */
  readonly times: number
}

export interface Behaviour {
  set(subject: Subject, rule: Rule): void
  /** Returns the rule for a new request and counts it. Rules for all requests do not apply to look-ups. */
  next(subject: Exclude<Subject, 'all'>): Rule
  events: EventMode
  /** Whether it fences tokens. If not, it answers a look-up with a fence with 404. */
  hasFence: boolean
  /** Which version of the protocol it speaks. 1.0 does not know /v1/about or the fields that 1.1 added. */
  protocol: '1.0' | '1.1'
  /** Who carries the requests out, and whether that moves real money. */
  provider: string
  mode: 'test' | 'live'
  /** What it carries out. It refuses the rest. */
  kinds: readonly RequestKind[]
  /** Whether it refuses to issue a card to a holder whose details nobody has entered. It asks for them in any case. */
  needsHolderDetails: boolean
}

const NORMAL: Rule = { mode: 'normal', delayMs: 0, times: Number.POSITIVE_INFINITY }

export function createBehaviour(): Behaviour {
  const rules = new Map<Subject, Rule>()
  return {
    events: 'normal',
    hasFence: true,
    protocol: '1.1',
    provider: 'reference issuer',
    mode: 'test',
    kinds: REQUEST_KINDS,
    needsHolderDetails: false,
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
