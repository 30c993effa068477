// Changes of a card's status, as operators see them.
import { type Static, Type } from 'typebox'
import { WANTED_STATUSES } from '../cards/states.ts'
import { Amount, object, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { CardChangeRow } from './queries.ts'
import { CARD_CHANGE_STATUSES } from './states.ts'

export const CardChange = object(
  {
    id: Type.String(),
    cardId: Type.String(),
    wantedStatus: Type.Enum([...WANTED_STATUSES]),
    status: Type.Enum([...CARD_CHANGE_STATUSES]),
    returnedAmount: Type.Optional(Amount),
    failure: Type.Optional(object({ code: Type.String(), message: Type.String() })),
    createdAt: Timestamp,
  },
  'CardChange',
)

export function toCardChange(row: CardChangeRow): Static<typeof CardChange> {
  return {
    id: formatId('chg', row.id),
    cardId: formatId('card', row.card_id),
    wantedStatus: row.wanted,
    status: row.status,
    ...(row.returned === null ? {} : { returnedAmount: formatCents(row.returned) }),
    ...(row.failure_code === null ? {} : { failure: { code: row.failure_code, message: row.failure_message ?? '' } }),
    createdAt: row.created_at.toISOString(),
  }
}
