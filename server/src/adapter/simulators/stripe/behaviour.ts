// The routes of the simulated Stripe, and how they can misbehave.
import type { Behaviours as BehavioursOf } from '../kit/behaviour.ts'

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

export type Behaviours = BehavioursOf<RouteId, AnswerMode>
