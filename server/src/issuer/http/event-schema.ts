// The events of the issuer protocol: what a live issuer reports to the server, as schemas that both sides validate with.
import { type Static, type TUnsafe, Type } from 'typebox'
import { Amount, field, MerchantCategory, object } from '../../lib/wire.ts'
import {
  CardId,
  CompanyId,
  Id,
  Instant,
  KIND,
  Last4,
  Receipt,
  RequestAmount,
  Token,
  Usdt,
  refusal,
} from './protocol.ts'

/** `title` names the event in the document; its data is named after it. */
const event = <Name extends string, Data extends Parameters<typeof Type.Object>[0]>(
  type: Name,
  title: string,
  data: Data,
) =>
  object(
    {
      id: field(Id, 'The id of the event. The same event always has the same id.'),
      type: field(Type.Literal(type), 'What happened.'),
      createdAt: field(Instant, 'When it happened.'),
      companyId: CompanyId,
      data: Type.Object(data, { title: `${title}Data`, description: `The data of \`${type}\`.` }),
    },
    title,
    `An event of the type \`${type}\`.`,
  )

/** A transfer to an invoice's address is final: its block is solidified. One event per transfer. */
const InvoiceSettled = event('invoice.settled', 'InvoiceSettledEvent', {
  token: Token,
  paymentId: field(Id, 'The transfer. The same transfer always has the same id.'),
  amount: field(Usdt, 'How much was paid, in USDT.'),
  paidAt: field(Instant, 'The time of the block that has the transfer.'),
})
const CardTransaction = event('card.transaction', 'CardTransactionEvent', {
  cardId: CardId,
  transactionId: field(Id, "The issuer's id of the payment. Later states of the same payment have the same id."),
  type: field(
    Type.Enum(['purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment']),
    'What kind of payment it is.',
  ),
  status: field(Type.Enum(['pending', 'settled', 'declined', 'reversed', 'expired']), 'Where the payment stands.'),
  amount: Type.String({
    pattern: '^-?\\d{1,10}\\.\\d{2}$',
    description: 'The amount in the currency of the payment. Debits are negative.',
  }),
  currency: field(Type.String({ pattern: '^[A-Z]{3}$' }), 'The currency of the payment, ISO 4217.'),
  cardAmount: Type.Optional(
    Type.String({
      pattern: '^-?\\d{1,10}\\.\\d{2}$',
      description: 'The amount on the card in US dollars. Required when the currency is not `USD`.',
    }),
  ),
  merchant: Type.Optional(field(Type.String({ maxLength: 255 }), 'The name of the merchant.')),
  country: Type.Optional(field(Type.String({ pattern: '^[A-Z]{2}$' }), 'The country of the merchant, ISO 3166-1.')),
  merchantCategory: Type.Optional(
    field(MerchantCategory, 'The category of the merchant (MCC), ISO 18245: four digits.'),
  ),
  description: Type.Optional(field(Type.String({ maxLength: 255 }), 'A text for people.')),
  occurredAt: field(Instant, 'When the payment was made.'),
})
/** With a token it reports the outcome of the change that the server asked for with that token. */
const CardStatusChanged = event('card.status', 'CardStatusEvent', {
  cardId: CardId,
  status: field(Type.Enum(['active', 'frozen', 'blocked', 'expired', 'closed']), 'The status that the card has now.'),
  balance: Type.Optional(field(Amount, 'What was left on a card that is now closed.')),
  token: Type.Optional(field(Token, 'The request whose outcome this is, if the server asked for the change.')),
  failure: Type.Optional(
    Type.Object(refusal, {
      title: 'CardStatusFailure',
      description: 'Only with a token: the change was not carried out and never will be.',
    }),
  ),
})
/** The late outcome of a request, with the fields of an answer. */
const reported = {
  token: Token,
  kind: field(Type.Enum(['issue', 'topup', 'service']), KIND),
  amount: RequestAmount,
}
const OperationCompleted = event('operation.completed', 'OperationCompletedEvent', {
  ...reported,
  receipt: Receipt,
  last4: Last4,
})
const OperationFailed = event('operation.failed', 'OperationFailedEvent', { ...reported, ...refusal })

export type InvoiceSettled = Static<typeof InvoiceSettled>
export type CardTransaction = Static<typeof CardTransaction>
export type CardStatusChanged = Static<typeof CardStatusChanged>
export type OperationCompleted = Static<typeof OperationCompleted>
export type OperationFailed = Static<typeof OperationFailed>
export type IssuerEvent = InvoiceSettled | CardTransaction | CardStatusChanged | OperationCompleted | OperationFailed
/** The events that the issuer sends to the server at EVENTS_PATH. */
export const IssuerEvent: TUnsafe<IssuerEvent> = Type.Unsafe<IssuerEvent>({
  type: 'object',
  title: 'IssuerEvent',
  description: 'What the issuer reports.',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [InvoiceSettled, CardTransaction, CardStatusChanged, OperationCompleted, OperationFailed],
})
export const EventTaken = object(
  { received: field(Type.Boolean(), 'Always `true`.') },
  'EventTaken',
  'The event was received.',
)
