// Changes of a card's status, as the company and operators see them.
import { type Static, Type } from 'typebox'
import { createdByField, showCreator } from '../access/creator.ts'
import { WANTED_STATUSES } from '../cards/states.ts'
import { Amount, Failure, field, nullable, object, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { CardChangeRow } from './queries.ts'
import { CARD_CHANGE_STATUSES } from './states.ts'

export const CardChange = object(
  {
    id: field(Type.String(), 'The id of the change, `chg_…`.'),
    cardId: field(Type.String(), 'The card.'),
    wantedStatus: field(Type.Enum([...WANTED_STATUSES]), 'The status that was asked for.'),
    status: field(Type.Enum([...CARD_CHANGE_STATUSES]), 'Where the change stands.'),
    returnedAmount: Type.Optional(field(Amount, 'What returned to the card account when the card was closed.')),
    failure: Type.Optional(field(Failure, 'Why the change failed. Only there when it did.')),
    createdAt: field(Timestamp, 'When the change was asked for.'),
    endedAt: nullable(field(Timestamp, 'When it was completed or failed. Null until then.')),
    createdBy: createdByField,
  },
  'CardChange',
  'A request to freeze, unfreeze or close a card, and what became of it.',
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
    endedAt: row.status === 'completed' || row.status === 'failed' ? row.status_at.toISOString() : null,
    ...showCreator(row.created_by),
  }
}
