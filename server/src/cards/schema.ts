// Cards as the API shows them, masked. The server never holds more of a card's number than the last four digits.
import { type Static, Type } from 'typebox'
import { Amount, field, nameSortQuery, object, searchQuery, Timestamp, wholeListQuery } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { CardRow } from './queries.ts'
import { CARD_STATUSES, WANTED_STATUSES } from './states.ts'

export const NamedCard = object(
  {
    id: field(Type.String(), 'The id of the card.'),
    name: field(Type.String(), 'The label of the card.'),
    last4: field(Type.String({ pattern: '^\\d{4}$' }), 'The last four digits of the card number.'),
  },
  'NamedCard',
  'A card, as lists name it.',
)

export const NamedHolder = object(
  {
    id: field(Type.String(), 'The id of the cardholder.'),
    name: field(Type.String(), 'The name of the cardholder.'),
  },
  'NamedHolder',
  'A cardholder, as lists name it.',
)

/** The properties of what concerns a card. Names change, so that events, which never do, have none of them. */
export const cardNameFields = {
  card: Type.Optional(field(NamedCard, 'The card that it concerns, as it is called now. Not in events.')),
  holder: Type.Optional(field(NamedHolder, 'The cardholder that it concerns, as it is called now. Not in events.')),
}

export interface CardNames {
  card?: Static<typeof NamedCard>
  holder?: Static<typeof NamedHolder>
}

const CardTotal = object(
  {
    status: field(Type.Enum([...CARD_STATUSES]), 'The status of these cards.'),
    count: field(Type.Integer(), 'How many there are.'),
    balance: field(Amount, 'What is on them.'),
  },
  'CardTotal',
  'Cards with one status, added up.',
)

export const CardTotals = object(
  {
    count: field(Type.Integer(), 'How many cards there are.'),
    balance: field(Amount, 'What is on all cards.'),
    currency: field(Type.String(), 'Always `USD`.'),
    data: field(Type.Array(CardTotal), 'One object for each status that occurs.'),
  },
  'CardTotals',
  'The money on cards.',
)

export const Card = object(
  {
    id: field(Type.String(), 'The id of the card, `card_…`.'),
    name: field(Type.String(), 'The label of the card.'),
    holderId: field(Type.String(), 'The cardholder.'),
    last4: field(Type.String({ pattern: '^\\d{4}$' }), 'The last four digits of the card number.'),
    status: field(
      Type.Enum([...CARD_STATUSES]),
      'Whether the card can be used. You can freeze and unfreeze a card; only the issuer blocks one; `closed` is final.',
    ),
    balance: field(Amount, 'What is on the card.'),
    productId: field(Type.String(), 'The card product.'),
    createdAt: field(Timestamp, 'When the card was issued.'),
    pendingStatus: Type.Optional(
      field(
        Type.Enum([...WANTED_STATUSES]),
        'The status that was asked for. Only there while its outcome is not known.',
      ),
    ),
    holder: Type.Optional(
      field(NamedHolder, 'The cardholder, as it is called now. Only when cards are listed or read, not in events.'),
    ),
  },
  'Card',
  'A card, masked: the card number is not stored.',
)

export const CardQuery = object({
  ...wholeListQuery,
  sort: nameSortQuery,
  status: Type.Optional(field(Type.Enum([...CARD_STATUSES]), 'Only cards with this status.')),
  holderId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only cards of this cardholder.')),
  productId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only cards of this product.')),
  q: Type.Optional(
    field(
      searchQuery,
      "Only cards whose last four digits, label, or cardholder's name or e-mail address begin with this. At least two characters; upper and lower case are the same.",
    ),
  ),
})

export function toCard(row: CardRow & { names?: CardNames }): Static<typeof Card> {
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
    ...(row.names?.holder === undefined ? {} : { holder: row.names.holder }),
  }
}
