// How the simulated Stripe misbehaves: for each route, and in its list of events. Everything is off at first, and stays as it was set until it is
// set again.

/** The routes of the API, by short names. */
export const ROUTE_IDS = [
  'createHolder',
  'listHolders',
  'readHolder',
  'createCard',
  'listCards',
  'readCard',
  'updateCard',
  'listAuthorizations',
  'readAuthorization',
  'listTransactions',
  'readTransaction',
  'readBalance',
  'listEvents',
] as const
export type RouteId = (typeof ROUTE_IDS)[number]

/**
 * `lost` acts and breaks the connection before it answers, `acted_500` acts and answers 500, `garbage` acts and answers what is not JSON,
 * `unfit` acts and answers an empty object. `cut` breaks the connection and `hang` never answers: both without acting. `kept_500` and a number
 * are answered without acting. As at Stripe, `acted_500` and `kept_500` are answered again to every request with the same key.
 */
export const ANSWER_MODES = [
  'normal',
  'lost',
  'acted_500',
  'garbage',
  'unfit',
  'kept_500',
  'cut',
  'hang',
  '400',
  '401',
  '402',
  '403',
  '404',
  '409',
  '429',
  '500',
  '503',
] as const
export type AnswerMode = (typeof ANSWER_MODES)[number]

export interface Behaviour {
  readonly mode: AnswerMode
  /** How many calls it applies to; then the route is normal again. Null: until it is set again. */
  readonly times: number | null
}

/** `repeated` lists each event twice, `reordered` lists them in the wrong order. */
export const EVENT_MODES = ['normal', 'repeated', 'reordered'] as const
export type EventMode = (typeof EVENT_MODES)[number]

export interface Behaviours {
  set(route: RouteId, behaviour: Behaviour): void
  /** Returns the mode of this call, which counts as one of its times. */
  take(route: RouteId): AnswerMode
  list(): Record<string, Behaviour>
}

export function createBehaviours(): Behaviours {
  const set = new Map<RouteId, Behaviour>()
  return {
    set: (route, behaviour) => void set.set(route, behaviour),
    take(route) {
      const { mode, times } = set.get(route) ?? { mode: 'normal', times: null }
      if (times === 1) set.delete(route)
      else if (times !== null) set.set(route, { mode, times: times - 1 })
      return mode
    },
    list: () => Object.fromEntries(set),
  }
}
