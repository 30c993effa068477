// Cards on the wire, masked: the last four digits are all that exists of the number here.
import { type Static, Type } from 'typebox'
import { Amount, object, pageQuery, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { CardRow } from './queries.ts'
import { CARD_STATUSES, WANTED_STATUSES } from './states.ts'

export const Card = object(
  {
    id: Type.String(),
    name: Type.String(),
    holderId: Type.String(),
    last4: Type.String({ pattern: '^\\d{4}$' }),
    status: Type.Enum([...CARD_STATUSES]),
    balance: Amount,
    productId: Type.String(),
    createdAt: Timestamp,
    pendingStatus: Type.Optional(
      Type.Enum([...WANTED_STATUSES], {
        description: 'only while a change is open: the status that was asked for',
      }),
    ),
  },
  'Card',
)

export const CardQuery = object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...CARD_STATUSES])),
  holderId: Type.Optional(Type.String({ maxLength: 100 })),
  productId: Type.Optional(Type.String({ maxLength: 100 })),
})

export function toCard(row: CardRow): Static<typeof Card> {
  return {
    id: formatId('card', row.id),
    name: row.name,
    holderId: formatId('hld', row.holder_id),
    last4: row.last4,
    status: row.status,
    balance: formatCents(row.balance),
    productId: row.product_id,
    createdAt: row.created_at.toISOString(),
    ...(row.pending_status === null ? {} : { pendingStatus: row.pending_status }),
  }
}
