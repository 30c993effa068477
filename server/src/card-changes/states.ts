// What a company may ask of a card, and the life of what it asked. docs/states.md shows both tables.
import type { CardStatus, WantedStatus } from '../cards/states.ts'

export type CardAction = 'freeze' | 'unfreeze' | 'close'

/** What a company may ask for. Only what it froze itself can it unfreeze. */
export const CARD_ACTIONS: Readonly<Record<CardAction, { from: readonly CardStatus[]; to: WantedStatus }>> = {
  freeze: { from: ['active'], to: 'frozen' },
  unfreeze: { from: ['frozen'], to: 'active' },
  close: { from: ['active', 'frozen', 'blocked', 'expired'], to: 'closed' },
}

export const CARD_CHANGE_STATUSES = ['processing', 'completed', 'failed', 'manual_review'] as const
export type CardChangeStatus = (typeof CARD_CHANGE_STATUSES)[number]

/** Out of review by a decision or the issuer's own confirmation, never by a timer. */
export const CARD_CHANGE_TRANSITIONS: Readonly<Record<CardChangeStatus, readonly CardChangeStatus[]>> = {
  processing: ['completed', 'failed', 'manual_review'],
  manual_review: ['completed', 'failed'],
  completed: [],
  failed: [],
}
