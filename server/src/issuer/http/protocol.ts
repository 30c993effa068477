// The protocol between this server and a live issuer, as schemas that both sides validate with. docs/issuer-protocol.md
// explains it, and issuer-openapi.json is generated from it.
import { type Static, type TUnsafe, Type } from 'typebox'
import { Amount, field, object } from '../../lib/wire.ts'
import { USDT_PATTERN } from '../../tron/usdt.ts'

export const SIGNATURE_HEADER = 'issuer-signature'
export const EVENTS_PATH = '/issuer/v1/events'
export const ABOUT_PATH = '/v1/about'

const Id = Type.String({ minLength: 1, maxLength: 100 })
const Text = Type.String({ minLength: 1, maxLength: 255 })
const CompanyId = field(Id, 'The company, `co_…`.')
const CardId = field(Id, 'The card, `card_…`.')
const Usdt = Type.String({ pattern: USDT_PATTERN, hint: 'USDT with up to six decimals' })
const Instant = Type.String({ format: 'date-time', maxLength: 40, hint: 'an ISO 8601 date-time' })
export const Token = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: "Names the request: a UUID in small letters, the operation's or invoice's own.",
})
export const TokenParams = object({ token: Token })

export const REQUEST_KINDS = ['issue', 'topup', 'service', 'invoice', 'card_status'] as const
export type RequestKind = (typeof REQUEST_KINDS)[number]

const kind = <Name extends RequestKind>(name: Name) => field(Type.Literal(name), 'What is asked for.')
const ordered = {
  companyId: CompanyId,
  amount: field(Amount, 'The amount in US dollars.'),
  productId: field(Id, 'The product.'),
}
const Holder = object(
  {
    name: field(Text, 'The name of the cardholder.'),
    email: field(Text, "The cardholder's e-mail address."),
    kind: field(Type.Enum(['individual', 'corporate']), 'A person or a company.'),
  },
  'IssueHolder',
  'Who gets the card. Since protocol 1.1.',
)
const Issue = object(
  {
    kind: kind('issue'),
    ...ordered,
    holderId: field(Id, 'The cardholder, `hld_…`.'),
    name: field(Text, 'The label of the card.'),
    cardId: Type.Optional(
      field(
        Id,
        'The id of the new card, `card_…`. All later requests and events name the card by it. Since protocol 1.1.',
      ),
    ),
    holder: Type.Optional(Holder),
  },
  'IssueRequest',
  'Issue a card.',
)
const Topup = object({ kind: kind('topup'), ...ordered, cardId: CardId }, 'TopupRequest', 'Add money to a card.')
const Service = object(
  { kind: kind('service'), ...ordered, recipient: field(Text, 'Who or what the service is for.') },
  'ServiceRequest',
  'Provide a service.',
)
const InvoiceWanted = object(
  { kind: kind('invoice'), companyId: CompanyId, amount: field(Amount, 'The deposit in US dollars.') },
  'InvoiceRequest',
  'Name an address and an exact amount for a deposit.',
)
const CardStatus = object(
  {
    kind: kind('card_status'),
    companyId: CompanyId,
    cardId: CardId,
    status: field(Type.Enum(['active', 'frozen', 'closed']), 'The status that the card should have.'),
  },
  'CardStatusRequest',
  'Change the status of a card.',
)

/** What the server asks for. */
export type RequestBody =
  | Static<typeof Issue>
  | Static<typeof Topup>
  | Static<typeof Service>
  | Static<typeof InvoiceWanted>
  | Static<typeof CardStatus>
export const RequestBody: TUnsafe<RequestBody> = Type.Unsafe<RequestBody>({
  type: 'object',
  title: 'IssuerRequest',
  description: 'What the server asks for.',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [Issue, Topup, Service, InvoiceWanted, CardStatus],
})

// Answers may have additional fields, which a later version may add, but no field may be missing.
const open = <Fields extends Parameters<typeof Type.Object>[0]>(fields: Fields, title: string, description: string) =>
  Type.Object(fields, { title, description })
const Receipt = Type.String({ minLength: 1, maxLength: 255, description: "The issuer's own reference, for people." })
const Last4 = Type.Optional(
  Type.String({
    pattern: '^\\d{4}$',
    description: 'The last four digits of the card number. Required for an issued card.',
  }),
)
const KIND = 'The kind of the request.'
const outcome = <Name extends string>(name: Name, text: string) => field(Type.Literal(name), text)
const done = outcome('done', 'The request was carried out.')
const RequestAmount = field(Amount, 'The amount of the request.')

export const Done = open(
  {
    token: Token,
    kind: field(Type.Enum(['issue', 'topup', 'service']), KIND),
    outcome: done,
    amount: RequestAmount,
    receipt: Receipt,
    last4: Last4,
  },
  'Done',
  'It was carried out. `token`, `kind` and `amount` are those of the request.',
)
export const InvoiceDone = open(
  {
    token: Token,
    kind: field(Type.Literal('invoice'), KIND),
    outcome: done,
    amount: RequestAmount,
    address: field(Type.String({ hint: 'a TRON address, Base58Check' }), 'The TRON address to pay to, Base58Check.'),
    payAmount: field(Usdt, 'The exact amount to pay, in USDT.'),
    expiresAt: field(Instant, 'Until when it can be paid.'),
  },
  'InvoiceDone',
  'The deposit can be paid.',
)
export const CardStatusDone = open(
  {
    token: Token,
    kind: field(Type.Literal('card_status'), KIND),
    outcome: done,
    receipt: Receipt,
    balance: Type.Optional(field(Amount, 'What was left on a card that is now closed.')),
  },
  'CardStatusDone',
  'The card has the status that was asked for.',
)
const refusal = {
  code: field(Type.String({ pattern: '^[a-z0-9_]{1,64}$' }), 'Why it was not carried out, for programs.'),
  message: field(Type.String({ minLength: 1, maxLength: 500 }), 'Why it was not carried out, for people.'),
}
export const Refused = open(
  {
    token: Token,
    kind: field(Type.Enum([...REQUEST_KINDS]), KIND),
    outcome: outcome('refused', 'The request was refused.'),
    ...refusal,
  },
  'Refused',
  'It was not and will not be carried out.',
)
export const Absent = open(
  { token: Token, outcome: outcome('absent', 'The request never arrived.') },
  'Absent',
  'The answer to a fence: nothing was carried out under this token, and a request with it is refused from now on.',
)
export const RequestAnswer = Type.Union([Done, InvoiceDone, CardStatusDone, Refused], {
  title: 'RequestAnswer',
  description: 'What became of a request.',
})
export const FenceAnswer = Type.Union([Done, InvoiceDone, CardStatusDone, Refused, Absent], {
  title: 'FenceAnswer',
  description: 'What became of a request, or that it is refused from now on.',
})
export type FenceAnswer = Static<typeof FenceAnswer>
export type RequestAnswer = Static<typeof RequestAnswer>

export const About = open(
  {
    protocol: field(Type.String({ pattern: '^1\\.[1-9]\\d{0,2}$' }), 'The version of this protocol: `1.1`.'),
    provider: field(Text, 'Who carries the requests out, for people.'),
    mode: field(Type.Enum(['test', 'live']), 'Whether it moves real money: `live`, or `test`.'),
    kinds: Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 100,
      description: 'The kinds of requests that it carries out. The server refuses the others when they are ordered.',
    }),
    fence: field(Type.Boolean(), 'Whether it fences tokens.'),
    invoiceMinimum: field(Amount, 'The smallest deposit by invoice, in US dollars.'),
    cardModes: Type.Array(Type.Enum(['balance', 'limit']), {
      description:
        'What the money of a card is at the provider: a balance of its own, or a limit on what may be spent.',
    }),
  },
  'About',
  'What the issuer is and what it can do. Since protocol 1.1.',
)

/** Whose request is looked up with a fence. */
export const FenceBody = object({ companyId: CompanyId })

export const BookRecord = open(
  {
    token: Token,
    companyId: CompanyId,
    kind: field(Type.Enum([...REQUEST_KINDS]), KIND),
    outcome: field(Type.Enum(['done', 'refused']), 'What became of the request.'),
    amount: Type.Union([Amount, Type.Null()], {
      description: 'The amount of the request. Null when it has none, such as a change of a card.',
    }),
    received: Type.Union([Usdt, Type.Null()], {
      hint: 'of an invoice: all USDT received so far',
      description: 'All USDT received for an invoice so far. Null for other kinds.',
    }),
  },
  'BookRecord',
  "What the issuer's book says about one token.",
)
export type BookRecord = Static<typeof BookRecord>
/** A page of the longest records stays below the limit of an answer. */
export const BOOK_PAGE_MAX = 500
export const BookQuery = object({
  companyId: Type.Optional(field(Id, 'Only the records of this company, `co_…`.')),
  after: Type.Optional(field(Token, 'Only records with a later token.')),
  until: Type.Optional(field(Token, 'Only records up to this token.')),
  limit: Type.Optional(field(Type.Integer({ minimum: 1, maximum: BOOK_PAGE_MAX }), 'How many records to answer with.')),
})
export const Book = open(
  { data: field(Type.Array(BookRecord), 'The records, in the order of their tokens.') },
  'Book',
  "A page of the issuer's book.",
)

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
