// States of a card. docs/states.md shows this table.
export const CARD_STATUSES = ['pending', 'active', 'frozen', 'blocked', 'expired', 'closed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** The company freezes and unfreezes; the issuer blocks, unblocks and expires. A closed card stays closed. */
export const CARD_TRANSITIONS: Readonly<Record<CardStatus, readonly CardStatus[]>> = {
  pending: ['active', 'closed'],
  active: ['frozen', 'blocked', 'expired', 'closed'],
  frozen: ['active', 'blocked', 'expired', 'closed'],
  blocked: ['active', 'frozen', 'expired', 'closed'],
  expired: ['closed'],
  closed: [],
}

/** The statuses that a company can ask for. */
export const WANTED_STATUSES = ['active', 'frozen', 'closed'] as const satisfies readonly CardStatus[]
export type WantedStatus = (typeof WANTED_STATUSES)[number]

/** The statuses in which a card can be topped up. accept_operations.sql decides by the same rule. */
export const TOP_UP_STATUSES: readonly CardStatus[] = ['active']
