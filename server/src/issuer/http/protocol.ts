// The protocol between this server and a live issuer, as schemas that both sides validate with. docs/issuer-protocol.md
// explains it, and issuer-openapi.json is generated from it.
import { type Static, type TUnsafe, Type } from 'typebox'
import { Amount, field, object } from '../../lib/wire.ts'
import { USDT_PATTERN } from '../../tron/usdt.ts'

export const SIGNATURE_HEADER = 'issuer-signature'
export const EVENTS_PATH = '/issuer/v1/events'
export const ABOUT_PATH = '/v1/about'

export const Id = Type.String({ minLength: 1, maxLength: 100 })
const Text = Type.String({ minLength: 1, maxLength: 255 })
export const CompanyId = field(Id, 'The company, `co_…`.')
export const CardId = field(Id, 'The card, `card_…`.')
export const Usdt = Type.String({ pattern: USDT_PATTERN, hint: 'USDT with up to six decimals' })
export const Instant = Type.String({ format: 'date-time', maxLength: 40, hint: 'an ISO 8601 date-time' })
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
export const Receipt = Type.String({
  minLength: 1,
  maxLength: 255,
  description: "The issuer's own reference, for people.",
})
export const Last4 = Type.Optional(
  Type.String({
    pattern: '^\\d{4}$',
    description: 'The last four digits of the card number. Required for an issued card.',
  }),
)
export const KIND = 'The kind of the request.'
const outcome = <Name extends string>(name: Name, text: string) => field(Type.Literal(name), text)
const done = outcome('done', 'The request was carried out.')
export const RequestAmount = field(Amount, 'The amount of the request.')

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
export const refusal = {
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
    numberPage: Type.Optional(
      field(
        Type.Boolean(),
        'Whether it gives out pages on which a holder sees the number of a card. If left out, it does not.',
      ),
    ),
    holderDetails: Type.Optional(
      field(
        Type.Boolean(),
        'Whether it says what it needs to know of a cardholder, and takes it. If left out, it does not.',
      ),
    ),
  },
  'About',
  'What the issuer is and what it can do. Since protocol 1.1.',
)

/** Whose card it is. */
export const NumberPageBody = object({ companyId: CompanyId })

/** The number itself never passes through the server. */
export const NumberPage = open(
  {
    url: Type.String({
      pattern: '^https?://[\\x21-\\x7e]+$',
      maxLength: 4_096,
      description: 'The address of the page. Whoever opens it in time sees the number of the card.',
    }),
    expiresAt: field(Instant, 'When the address stops working.'),
  },
  'NumberPage',
  'A page of the provider on which a holder sees the number of a card. Since protocol 1.1.',
)
export type NumberPage = Static<typeof NumberPage>

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
