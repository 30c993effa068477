// Operations on the wire.
import { type Static, type TUnsafe, Type } from 'typebox'
import { Creator, showCreator } from '../access/creator.ts'
import type { Permission } from '../access/permissions.ts'
import { type CardNames, cardNameFields } from '../cards/schema.ts'
import {
  Amount,
  Failure,
  field,
  INSTANT_NOTE,
  instantQuery,
  object,
  pageQuery,
  sortQuery,
  positiveAmount,
  Timestamp,
  visibleText,
} from '../lib/wire.ts'
import type { AcceptedOperation } from '../ledger/verdict.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { OperationRow } from './queries.ts'
import { OPERATION_STATUSES } from './states.ts'

export const OPERATION_TYPES = ['issue', 'topup', 'service'] as const

const Reference = Type.String({ minLength: 1, maxLength: 100, hint: 'an id of 1 to 100 characters' })
const ProductId = Type.String({ minLength: 1, maxLength: 100, hint: 'the id of a product; see GET /products' })
/** As the contract says. */
const CARD_NAME_LENGTH_MAX = 64
const RECIPIENT_LENGTH_MAX = 255

const OrderAmount = positiveAmount(
  'an operation only spends. Money comes back by itself when an operation fails or a card is closed',
)

const ExpectedTotal = Type.Optional(
  field(Amount, 'The total that you expect. If the total is another one, the request is refused with `quote_changed`.'),
)

export const NewIssue = object(
  {
    type: field(Type.Literal('issue'), 'Issue a card.'),
    amount: field(OrderAmount, 'How much to put on the card. The fee comes on top.'),
    expectedTotal: ExpectedTotal,
    productId: field(ProductId, 'The card product, from `GET /products`.'),
    holderId: field(Reference, 'The cardholder, from `GET /holders`. Must be `active`.'),
    name: Type.Optional(
      field(visibleText(CARD_NAME_LENGTH_MAX, 'a name'), "A label for the card. The default is the cardholder's name."),
    ),
  },
  'IssueOperationCreate',
  'Issue a card to a cardholder and put money on it.',
)
export const NewTopup = object(
  {
    type: field(Type.Literal('topup'), 'Top up a card.'),
    amount: field(OrderAmount, 'How much to add to the card. The fee comes on top.'),
    expectedTotal: ExpectedTotal,
    productId: Type.Optional(field(ProductId, "The card's product. It can be left out.")),
    cardId: field(Reference, 'The card, from `GET /cards`. Must be `active`.'),
  },
  'TopupOperationCreate',
  'Add money to a card.',
)
export const NewService = object(
  {
    type: field(Type.Literal('service'), 'Order a service.'),
    amount: field(OrderAmount, 'The amount of the service. If the product has a fixed price, exactly that price.'),
    expectedTotal: ExpectedTotal,
    productId: field(ProductId, 'The service product, from `GET /products`.'),
    recipient: field(
      visibleText(RECIPIENT_LENGTH_MAX, 'a recipient'),
      'Who or what the service is for, such as a telephone number.',
    ),
  },
  'ServiceOperationCreate',
  'Order a service.',
)

export type NewOperation = Static<typeof NewIssue> | Static<typeof NewTopup> | Static<typeof NewService>
export const NewOperation: TUnsafe<NewOperation> = Type.Unsafe<NewOperation>({
  type: 'object',
  title: 'OperationCreate',
  description: 'What to do: `type` decides which other fields there are.',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [NewIssue, NewTopup, NewService],
})

/** Issue and top-up need cards:write, a service services:write; the other scope is not enough. */
export function permissionFor(body: unknown): Permission | undefined {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined
  if (type === 'service') return 'services:write'
  return type === 'issue' || type === 'topup' ? 'cards:write' : undefined
}

const Result = object(
  {
    cardId: Type.Optional(field(Type.String(), 'The card that was issued or topped up.')),
    receipt: Type.Optional(field(Type.String(), "The issuer's receipt.")),
  },
  'OperationResult',
  'The result of a completed operation. Empty for any other operation.',
)

const NamedProduct = object(
  {
    id: field(Type.String(), 'The id of the product.'),
    name: field(Type.String(), 'The name of the product.'),
  },
  'NamedProduct',
  'A product, as lists name it.',
)

const operationNameFields = {
  ...cardNameFields,
  product: Type.Optional(field(NamedProduct, 'The product that was ordered, as it is called now. Not in events.')),
  recipient: Type.Optional(field(Type.String(), 'Who or what a service is for. Not in events.')),
  title: Type.Optional(
    field(Type.String(), 'What it is in words, such as “Virtual card for Ada Lovelace ·· 5112”. Not in events.'),
  ),
}

export interface OperationNames extends CardNames {
  product?: Static<typeof NamedProduct>
  recipient?: string
  title?: string
}

export const Operation = object(
  {
    id: field(Type.String(), 'The id of the operation, `op_…`.'),
    type: field(Type.Enum([...OPERATION_TYPES]), 'What the operation does.'),
    status: field(
      Type.Enum([...OPERATION_STATUSES]),
      'Where the operation stands. `completed` and `failed` are final. In `manual_review` the outcome is not known, and a person decides.',
    ),
    amount: field(Amount, 'The amount that goes to the card or the service.'),
    fee: field(Amount, 'The fee, charged on top of the amount.'),
    total: field(Amount, 'The amount and the fee. It is reserved while the operation is open.'),
    result: field(Result, 'The result. Empty until the operation is completed.'),
    failure: Type.Optional(field(Failure, 'Why the operation failed. Only there when it did.')),
    createdAt: field(Timestamp, 'When the operation was accepted.'),
    ...operationNameFields,
    createdBy: Type.Optional(
      field(Creator, 'Who ordered it. Not in events, nor in the answer to the request that created it.'),
    ),
  },
  'Operation',
  'A request to issue a card, top up a card or order a service, and what became of it.',
)

const OUTCOMES = ['confirmed', 'declined', 'not_sent', 'absent', 'unknown'] as const
const STEPS = ['accepted', 'sent', 'answered', 'looked_up', 'completed', 'failed', 'manual_review'] as const

const Step = object(
  {
    step: field(
      Type.Enum([...STEPS]),
      'What happened: the operation was `accepted` and its funds reserved, handed to be `sent` to the issuer, `answered` in another way than by carrying it out, `looked_up` at the issuer, or took its present status.',
    ),
    at: field(Timestamp, 'When it happened.'),
    outcome: Type.Optional(
      field(Type.Enum([...OUTCOMES]), 'What an answer or a look-up told. Only there for `answered` and `looked_up`.'),
    ),
  },
  'OperationStep',
  'Something that happened to an operation.',
)
export type TimelineStep = Static<typeof Step>

export const OperationTimeline = object(
  {
    request: field(
      object(
        {
          productId: field(Type.String(), 'The product that was ordered.'),
          holderId: Type.Optional(field(Type.String(), 'The cardholder of a card that was to be issued.')),
          cardId: Type.Optional(field(Type.String(), 'The card that was to be topped up.')),
          name: Type.Optional(field(Type.String(), 'The label of a card that was to be issued.')),
          recipient: Type.Optional(field(Type.String(), 'Who or what a service was for.')),
        },
        'OperationRequest',
        'What was asked for, besides the amount.',
      ),
      'What was asked for, besides the amount.',
    ),
    idempotencyKey: field(Type.String(), 'The `Idempotency-Key` of the request that created the operation.'),
    steps: field(Type.Array(Step), 'What happened, from the first step to the last.'),
  },
  'OperationTimeline',
  'What was asked for with an operation, and what happened to it.',
)
export type Timeline = Static<typeof OperationTimeline>

export const QuoteSchema = object(
  {
    amount: field(Amount, 'The amount that was asked about.'),
    fee: field(Amount, 'The fee that would be charged now.'),
    total: field(Amount, 'The amount and the fee. Send it as `expectedTotal`.'),
    currency: field(Type.String(), 'Always `USD`.'),
  },
  'Quote',
  'What an operation would cost now.',
)

export const OperationQuery = object({
  ...pageQuery,
  sort: sortQuery,
  type: Type.Optional(field(Type.Enum([...OPERATION_TYPES]), 'Only operations of this type.')),
  status: Type.Optional(field(Type.Enum([...OPERATION_STATUSES]), 'Only operations with this status.')),
  cardId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only operations of this card.')),
  from: Type.Optional(field(instantQuery, `Only operations created from this time on. ${INSTANT_NOTE}`)),
  to: Type.Optional(field(instantQuery, `Only operations created until this time. ${INSTANT_NOTE}`)),
  idempotencyKey: Type.Optional(
    field(Type.String({ maxLength: 128 }), 'Only the operation that was created with this `Idempotency-Key`.'),
  ),
})

/** Returns the first answer. It contains only what never changes, so that a replay is the same byte for byte. */
export function toQueuedOperation(operation: AcceptedOperation): Static<typeof Operation> {
  const { amount, fee, total } = amountsOf(operation)
  return {
    id: formatId('op', operation.id),
    type: operation.type,
    status: 'queued',
    amount,
    fee,
    total,
    result: {},
    createdAt: operation.createdAt.toISOString(),
  }
}

/** The part of an operation that the API shows, so that an event can show an earlier state. */
type ShownOperation = Pick<
  OperationRow,
  | 'id'
  | 'type'
  | 'status'
  | 'amount'
  | 'fee'
  | 'card_id'
  | 'receipt'
  | 'failure_code'
  | 'failure_message'
  | 'created_at'
> & {
  /** Neither is in events. */
  created_by?: string | null
  names?: OperationNames
}

export function toOperation(row: ShownOperation): Static<typeof Operation> {
  return {
    id: formatId('op', row.id),
    type: row.type,
    status: row.status,
    ...amountsOf(row),
    result: row.status === 'completed' ? resultOf(row) : {},
    ...(row.failure_code === null ? {} : { failure: { code: row.failure_code, message: row.failure_message ?? '' } }),
    createdAt: row.created_at.toISOString(),
    ...row.names,
    ...showCreator(row.created_by),
  }
}

function amountsOf({ amount, fee }: { amount: bigint; fee: bigint }) {
  return { amount: formatCents(amount), fee: formatCents(fee), total: formatCents(amount + fee) }
}

function resultOf(row: ShownOperation): { cardId?: string; receipt?: string } {
  return {
    ...(row.card_id === null ? {} : { cardId: formatId('card', row.card_id) }),
    ...(row.receipt === null ? {} : { receipt: row.receipt }),
  }
}
