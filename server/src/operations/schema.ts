// Operations on the wire.
import { type Static, type TUnsafe, Type } from 'typebox'
import type { Permission } from '../access/permissions.ts'
import { Amount, instantQuery, object, pageQuery, Timestamp } from '../lib/wire.ts'
import type { AcceptedOperation } from '../ledger/accept.ts'
import { formatId } from '../lib/ids.ts'
import { formatCents } from '../lib/money.ts'
import type { OperationRow } from './queries.ts'
import { OPERATION_STATUSES } from './states.ts'

export const OPERATION_TYPES = ['issue', 'topup', 'service'] as const

const Reference = Type.String({ minLength: 1, maxLength: 100, description: 'an id of 1 to 100 characters' })
const ProductId = Type.String({ minLength: 1, maxLength: 100, description: 'the id of a product; see GET /products' })
/** CONTRACT 2. */
const CARD_NAME_LENGTH_MAX = 64
const RECIPIENT_LENGTH_MAX = 255

const always = { amount: Amount, expectedTotal: Type.Optional(Amount) }

export const NewIssue = object({
  type: Type.Literal('issue'),
  ...always,
  productId: ProductId,
  holderId: Reference,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CARD_NAME_LENGTH_MAX,
      pattern: '\\S',
      description: `a card label of 1 to ${CARD_NAME_LENGTH_MAX} characters`,
    }),
  ),
})
export const NewTopup = object({
  type: Type.Literal('topup'),
  ...always,
  productId: Type.Optional(ProductId),
  cardId: Reference,
})
export const NewService = object({
  type: Type.Literal('service'),
  ...always,
  productId: ProductId,
  recipient: Type.String({
    minLength: 1,
    maxLength: RECIPIENT_LENGTH_MAX,
    pattern: '\\S',
    description: `a recipient of 1 to ${RECIPIENT_LENGTH_MAX} characters`,
  }),
})

export type NewOperation = Static<typeof NewIssue> | Static<typeof NewTopup> | Static<typeof NewService>
export const NewOperation: TUnsafe<NewOperation> = Type.Unsafe<NewOperation>({
  type: 'object',
  title: 'NewOperation',
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

export const Operation = object(
  {
    id: Type.String(),
    type: Type.Enum([...OPERATION_TYPES]),
    status: Type.Enum([...OPERATION_STATUSES]),
    amount: Amount,
    fee: Amount,
    total: Amount,
    result: object({ cardId: Type.Optional(Type.String()), receipt: Type.Optional(Type.String()) }),
    failure: Type.Optional(object({ code: Type.String(), message: Type.String() })),
    createdAt: Timestamp,
  },
  'Operation',
)

export const QuoteSchema = object({ amount: Amount, fee: Amount, total: Amount, currency: Type.String() }, 'Quote')

export const OperationQuery = object({
  ...pageQuery,
  type: Type.Optional(Type.Enum([...OPERATION_TYPES])),
  status: Type.Optional(Type.Enum([...OPERATION_STATUSES])),
  cardId: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(instantQuery),
  to: Type.Optional(instantQuery),
  idempotencyKey: Type.Optional(Type.String({ maxLength: 128 })),
})

/** The first answer. Made only of what never changes, so that a replay is the same to the byte whatever happened since. */
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

/** What of an operation is shown: so that an event can show one as it was. */
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
>

export function toOperation(row: ShownOperation): Static<typeof Operation> {
  return {
    id: formatId('op', row.id),
    type: row.type,
    status: row.status,
    ...amountsOf(row),
    result: row.status === 'completed' ? resultOf(row) : {},
    ...(row.failure_code === null ? {} : { failure: { code: row.failure_code, message: row.failure_message ?? '' } }),
    createdAt: row.created_at.toISOString(),
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
