// The routes of the simulated Lithic, and how they can misbehave.
import type { Behaviours as BehavioursOf } from '../kit/behaviour.ts'

/** The routes of the API, by short names. */
export const ROUTE_IDS = [
  'status',
  'createHolder',
  'listHolders',
  'readHolder',
  'createCard',
  'listCards',
  'readCard',
  'updateCard',
  'readCardBalances',
  'readSpendLimits',
  'createTransfer',
  'readTransfer',
  'readAccountBalances',
  'listEvents',
  'readTransaction',
] as const
export type RouteId = (typeof ROUTE_IDS)[number]

/**
 * `lost` acts and breaks the connection before it answers, `acted_500` acts and answers 500, `garbage` acts and answers what is not JSON,
 * `unfit` acts and answers an empty object. `cut` breaks the connection and `hang` never answers: both without acting. A number is
 * answered without acting.
 */
export const ANSWER_MODES = [
  'normal',
  'lost',
  'acted_500',
  'garbage',
  'unfit',
  'cut',
  'hang',
  '400',
  '401',
  '403',
  '404',
  '409',
  '422',
  '429',
  '500',
  '503',
] as const
export type AnswerMode = (typeof ANSWER_MODES)[number]

export type Behaviours = BehavioursOf<RouteId, AnswerMode>
