// What a company may ask of a card, and the states of such a change. docs/states.md shows both tables.
import type { CardStatus, WantedStatus } from '../cards/states.ts'

export type CardAction = 'freeze' | 'unfreeze' | 'close'

/** What a company may ask for, and from which statuses. It can unfreeze only a card that it froze itself. */
export const CARD_ACTIONS: Readonly<Record<CardAction, { from: readonly CardStatus[]; to: WantedStatus }>> = {
  freeze: { from: ['active'], to: 'frozen' },
  unfreeze: { from: ['frozen'], to: 'active' },
  close: { from: ['active', 'frozen', 'blocked', 'expired'], to: 'closed' },
}

export const CARD_CHANGE_STATUSES = ['processing', 'completed', 'failed', 'manual_review'] as const
export type CardChangeStatus = (typeof CARD_CHANGE_STATUSES)[number]

/** Only a decision or the issuer's confirmation ends a review, never a timer. */
export const CARD_CHANGE_TRANSITIONS: Readonly<Record<CardChangeStatus, readonly CardChangeStatus[]>> = {
  processing: ['completed', 'failed', 'manual_review'],
  manual_review: ['completed', 'failed'],
  completed: [],
  failed: [],
}
