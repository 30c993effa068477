// Generated from the OpenAPI documents by `npm run generate`. Do not edit.
import type {
  Environment,
  OperationType,
  OperationStatus,
  InvoiceStatus,
  CardStatus,
  HolderStatus,
  TransactionType,
  TransactionStatus,
  SpendCategoryId,
  Sort,
  NameSort,
  EntryKind,
  EventType,
  Scope,
} from './values.ts'

/** One movement on the card account, and the card that it concerns. */
export interface AccountEntry {
  /** The id of the entry. */
  id: string
  /**
   * The id of the object that the entry belongs to: an operation, an invoice, a payment in review, a sandbox deposit or a
   * card.
   */
  reference: string
  /** What kind of movement it is. */
  kind: EntryKind
  /** The movement in words. */
  description: string
  /** By how much the balance changed. 0.00 for a reservation and a release. */
  amount: string
  /** The balance after the entry: available and held together. */
  balance: string
  /** By how much the available funds changed. */
  availableDelta: string
  /** By how much the held funds changed. */
  heldDelta: string
  /** When the entry was booked. */
  createdAt: string
  /**
   * The movement in words that name what it concerns, such as “Virtual card for Ada Lovelace ·· 5112”. Names are those of
   * now.
   */
  title: string
  /** The card that it concerns, as it is called now. Not in events. */
  card?: NamedCard
  /** The cardholder that it concerns, as it is called now. Not in events. */
  holder?: NamedHolder
}

/** An API key, without the key itself. */
export interface ApiKey {
  /** The id of the key, `key_…`. It is not the key itself. */
  id: string
  /** How the key begins. */
  prefix: string
  /** The last four characters of the key. */
  last4: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What the key is for. */
  name: string
  /** What the key may do. */
  scopes: Scope[]
  /** The networks that the key may be used from. Empty means all. */
  allowedCidrs: string[]
  /** When the key was created. */
  createdAt: string
  /** When the key stops working. Null when it does not expire. */
  expiresAt: string | null
  /** When the key was revoked. Null when it was not. */
  revokedAt: string | null
  /** When the key was last used, to the minute. Null when it never was. */
  lastUsedAt: string | null
  /** The id of the key that replaced this one. Null when it was not rotated. */
  replacedBy: string | null
}

/** Who did what, when and from where. */
export interface AuditEntry {
  /** The id of the record. */
  id: string
  /** The company that it is about. Null when it is about none. */
  companyId: string | null
  /** The name of the company, as it is now. Only in lists. */
  companyName?: string
  /** Who did it, as one text with what they were called then. People choose their names, so rely on `actorId`. */
  actor: string
  /**
   * What did it: a person, a company’s `key`, an `operator_token`, somebody who used a one-time `link`, the `program`
   * itself, or the `issuer`. Null in records from before 0.2.
   */
  actorKind: 'person' | 'key' | 'operator_token' | 'link' | 'program' | 'issuer' | null
  /**
   * The id of the person (`per_…`), key or token (`key_…`); of a link, the person that it was made for. Null for the program
   * and the issuer, and in records from before 0.2.
   */
  actorId: string | null
  /** What the person, key or token was called when it was done. Null when there is no such name. */
  actorName: string | null
  /** What was done. */
  action: string
  /** The id of the object that it was done to. */
  object: string | null
  /** What the object is called now. Only in lists, and only where it has a name. */
  objectName?: string
  /** What belongs to the action, such as the reason. */
  details: Record<string, unknown>
  /** The network address that it was done from. */
  address: string | null
  /** The id of the request. */
  requestId: string | null
  /** When it was done. */
  createdAt: string
}

export interface AuditLogFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only records about this company. */
  companyId?: string | undefined
  /** Only records about the object with this id, such as a review. */
  object?: string | undefined
  /** Only what the person (`per_…`), key or token (`key_…`) with this id did. */
  actorId?: string | undefined
}

/** What the card account has now. */
export interface Balance {
  /** What can be spent now. */
  available: string
  /** What is reserved by operations that are not finished. */
  held: string
  /** Available and held together. */
  total: string
  /** Always `USD`. */
  currency: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
}

/** When the balance is low, and whether it is. */
export interface BalanceAlert {
  /** Below this amount the available funds are low. Null: never. */
  threshold: string | null
  /** Whether less than `threshold` is available now. */
  isLow: boolean
}

/** When the balance is low. */
export interface BalanceAlertChange {
  /** Below this amount the available funds are low. Null: never. */
  threshold: string | null
}

/** What the card account had at the end of a day. */
export interface BalanceDay {
  /** The UTC day. */
  day: string
  /** The balance at the end of the day: available and held together. */
  balance: string
  /** What was reserved at the end of the day by operations that were not finished. */
  held: string
}

/** What the card account had at the end of each day. */
export interface BalanceHistory {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** Always `USD`. */
  currency: string
  /** One object for each day, oldest first. Today is included with its balance so far; later days are left out. */
  data: BalanceDay[]
}

/** What the company is activated for in live. */
export interface Capabilities {
  /** Whether the company may issue cards, top up cards and order services in live. */
  liveServices: boolean
  /** Whether the company may create invoices in live. */
  directInvoices: boolean
}

/** What to activate or deactivate. What is left out stays as it is. */
export interface CapabilityChange {
  /** Whether the company may issue cards, top up cards and order services in live. */
  liveServices?: boolean | undefined
  /** Whether the company may create invoices in live. */
  directInvoices?: boolean | undefined
}

/** A card, masked: the card number is not stored. */
export interface Card {
  /** The id of the card, `card_…`. */
  id: string
  /** The label of the card. */
  name: string
  /** The cardholder. */
  holderId: string
  /** The last four digits of the card number. */
  last4: string
  /** Whether the card can be used. You can freeze and unfreeze a card; only the issuer blocks one; `closed` is final. */
  status: CardStatus
  /** What is on the card. */
  balance: string
  /** The card product. */
  productId: string
  /** When the card was issued. */
  createdAt: string
  /** The status that was asked for. Only there while its outcome is not known. */
  pendingStatus?: 'active' | 'frozen' | 'closed'
  /** The cardholder, as it is called now. Only when cards are listed or read, not in events. */
  holder?: NamedHolder
}

/** A request to freeze, unfreeze or close a card, and what became of it. */
export interface CardChange {
  /** The id of the change, `chg_…`. */
  id: string
  /** The card. */
  cardId: string
  /** The status that was asked for. */
  wantedStatus: 'active' | 'frozen' | 'closed'
  /** Where the change stands. */
  status: 'processing' | 'completed' | 'failed' | 'manual_review'
  /** What returned to the card account when the card was closed. */
  returnedAmount?: string
  /** Why the change failed. Only there when it did. */
  failure?: Failure
  /** When the change was asked for. */
  createdAt: string
  /** When it was completed or failed. Null until then. */
  endedAt: string | null
  /** Who ordered it. What was ordered before version 1.0 has none. */
  createdBy?: Creator
}

export interface CardFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. Without `limit` and `cursor` the whole list is answered. */
  limit?: number | undefined
  /** The order: the newest first, the oldest first, or by name without regard to upper and lower case. */
  sort?: NameSort | undefined
  /** Only cards with this status. */
  status?: CardStatus | undefined
  /** Only cards of this cardholder. */
  holderId?: string | undefined
  /** Only cards of this product. */
  productId?: string | undefined
  /**
   * Only cards whose last four digits, label, or cardholder's name or e-mail address begin with this. At least two
   * characters; upper and lower case are the same.
   */
  q?: string | undefined
}

/** A page of the card's provider on which the holder sees the number of the card. */
export interface CardNumberPage {
  /** The address of the page. Whoever opens it in time sees the number of the card. */
  url: string
  /** When the address stops working. */
  expiresAt: string
}

/** Cards with one status, added up. */
export interface CardTotal {
  /** The status of these cards. */
  status: CardStatus
  /** How many there are. */
  count: number
  /** What is on them. */
  balance: string
}

/** The money on cards. */
export interface CardTotals {
  /** How many cards there are. */
  count: number
  /** What is on all cards. */
  balance: string
  /** Always `USD`. */
  currency: string
  /** One object for each status that occurs. */
  data: CardTotal[]
}

/** How the cards stand. */
export interface CardsState {
  /** The provider, for people. */
  provider: string
  /** What the money of a card is at the provider. */
  cardMode: 'balance' | 'limit'
  /** Requests whose outcome is not certain yet. */
  requestsOpen: number
  /** How many of them wait for a person. */
  requestsWaiting: number
  /** Since when the oldest of them waits. */
  waitingSince: string | null
  /** When the provider's events were last read. */
  eventsReadAt: string | null
  /** The time of the newest event. */
  lastEventAt: string | null
  /** Events about cards that this issuer does not know. */
  eventsOfUnknownCards: number
  /** What is on all cards by the books of the issuer, in US dollars. */
  owed: string
  /** What is left at the provider to pay for cards, in US dollars. Null if the provider does not say. */
  float: string | null
  /** When that was read. */
  floatReadAt: string | null
}

/** A product as the operator sees it, with its general prices. */
export interface CatalogProduct {
  /** The id of the product. Send it as `productId`. */
  id: string
  /** A card product is issued; a service product is ordered. */
  kind: 'card' | 'service'
  /** The name of the product. */
  name: string
  /** What the product is. */
  description: string
  /** Always `USD`. */
  currency: string
  /** The price of issuing the card, or of the service. */
  pricing: Pricing
  /** The price of topping up the card. Null for services. */
  topupPricing: Pricing | null
  /** Products are listed by this number, the lowest first. */
  position: number
  /** When the product was taken off sale. Null while it is on sale. */
  retiredAt: string | null
}

/** How the deposits stand. */
export interface ChainState {
  /** The network. */
  network: string
  /** Whether payments are credited. False while it waits for a node or has stopped. */
  isCrediting: boolean
  /** What it does, in one sentence. */
  message: string
  /** The last block that was read. */
  height: number | null
  /** Its time. */
  blockTime: string | null
  /** How many solidified blocks are still to be read. */
  lag: number | null
  /** Whether the nodes agree. */
  agreement: 'one_node' | 'agree' | 'disagree' | 'unknown'
  /** The nodes. */
  nodes: NodeState[]
  /** Transfers that belong to no invoice and wait for a decision. */
  transfersOpen: number
  /** USDT that is on the addresses of the issuer: received and not moved away. */
  received: string
}

/** A company of the card programme. */
export interface Company {
  /** The id of the company, `co_…`. */
  id: string
  /** The name of the company. */
  name: string
  /** An individual may issue 500 cards in a calendar month; a corporate company has no such limit. */
  kind: 'individual' | 'corporate'
  /** Only the keys of an approved company work, also in the sandbox. */
  verification: 'pending' | 'approved' | 'rejected'
  /** What the company is activated for in live. */
  capabilities: Capabilities
  /** A suspended company can read, and freeze and close cards. Every other write is refused. */
  suspended: boolean
  /** When the company was created. */
  createdAt: string
  /** Its card accounts. Only there when companies are listed or read. */
  balances?: CompanyBalance[]
}

/** The card account of a company in one environment. */
export interface CompanyBalance {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What is available. */
  available: string
  /** What is held for open operations. */
  held: string
}

export interface CompanyFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only companies whose verification is so. */
  verification?: 'pending' | 'approved' | 'rejected' | undefined
  /** Only companies whose name begins with this. At least two characters; upper and lower case are the same. */
  q?: string | undefined
}

export interface CompanyHolderFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** Only cardholders with this status. */
  status?: HolderStatus | undefined
  /**
   * Only cardholders whose name or e-mail address begins with this. At least two characters; upper and lower case are the
   * same.
   */
  q?: string | undefined
}

/** A new API key. */
export interface CreatedApiKey {
  /** The id of the key, `key_…`. It is not the key itself. */
  id: string
  /** How the key begins. */
  prefix: string
  /** The last four characters of the key. */
  last4: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What the key is for. */
  name: string
  /** What the key may do. */
  scopes: Scope[]
  /** The networks that the key may be used from. Empty means all. */
  allowedCidrs: string[]
  /** When the key was created. */
  createdAt: string
  /** When the key stops working. Null when it does not expire. */
  expiresAt: string | null
  /** The key itself. It is shown only here. */
  key: string
}

/** A new invitation. */
export interface CreatedInvitation {
  /** The id of the invitation, `invt_…`. */
  id: string
  /** The e-mail address of whoever is invited. */
  email: string
  /** The company. Null for the programme. */
  companyId: string | null
  /** The role that they get. */
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  /** Whether it can still be used. */
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  /** Who invited. */
  createdBy: string
  /** When the invitation was made. */
  createdAt: string
  /** When the link stops working. */
  expiresAt: string
  /**
   * What became of the e-mail with the link: `none` (the server sends no mail, or the link ended first), `limited` (not
   * sent, because too many mails went to this address or out for this company in a day), `waiting`, `sent` (a mail server
   * has taken it) or `failed` (no mail server took it; pass the link on, or invite again). `limited` is only in the answer
   * that makes the link.
   */
  mail: 'none' | 'limited' | 'waiting' | 'sent' | 'failed'
  /** The link to pass on. It is shown only here and works once. */
  url: string
}

/** A new operator token. */
export interface CreatedOperatorToken {
  /** The id of the token, `key_…`, as the audit log names it. It is not the token itself. */
  id: string
  /** Who or what uses the token. */
  name: string
  /** How the token begins. */
  prefix: string
  /** The last four characters of the token. Null when version 0.1 stored it and no server knows it. */
  last4: string | null
  /** When the token was created. */
  createdAt: string
  /** The token itself. It is shown only here. */
  token: string
}

/** Who ordered something. */
export interface Creator {
  /** What ordered it: an API key, a person in the console, or an operator of the programme. */
  kind: 'key' | 'person' | 'operator'
  /** The id of the key (`key_…`) or of the person (`per_…`). */
  id: string
  /** What the key or the person was called at that time. */
  name: string
}

/** An empty object. */
export type Empty = Record<string, never>

export interface EntryFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only entries from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only entries until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
  /** Only entries of this kind. */
  kind?: EntryKind | undefined
  /**
   * `balance`: only entries that change the balance, without reservations and releases, which only move money between
   * available and held.
   */
  moves?: 'balance' | undefined
  /** Only entries of this object, such as an operation or an invoice. */
  reference?: string | undefined
}

/** What happened, and to which object. */
export interface EventEnvelope {
  /** The id of the event, `evt_…`. It is the same on every delivery. */
  id: string
  /** What happened. */
  type: EventType
  /** When it happened. */
  createdAt: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** The company. */
  companyId: string
  /** The version of the API that `data` follows. */
  version: string
  /** Grows by one with each event of the same object, so that you can recognise an event that arrives late. */
  sequence: number
  /** The object as it was. */
  data: Record<string, unknown>
}

export interface EventFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only events of this type. */
  type?: EventType | undefined
  /** Only events from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only events until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
}

/** An event that is sent again. */
export interface EventResend {
  /** To how many endpoints the event is sent. */
  deliveries: number
}

export interface EventStreamQuery {
  /** Only events of these types, separated by commas, such as `operation.completed,operation.failed`. */
  types?: string | undefined
  /**
   * Where to resume: the last `id:` that was received. The id of an event is accepted too; then events of the time around it
   * may arrive again. A `Last-Event-ID` header goes before it. Only new events when left out.
   */
  after?: string | undefined
}

/** Why something was not carried out. */
export interface Failure {
  /** What happened, for programs, such as `declined` or `not_carried_out`. */
  code: string
  /** What happened, for people. */
  message: string
}

/** An invoice to fund the card account with USDT on TRON. */
export interface FundingInvoice {
  /** The id of the invoice, `inv_…`. */
  id: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** Where the invoice stands. Pay only while it is `pending`. In `manual_review` a person decides, and the reasons say why. */
  status: InvoiceStatus
  /** The deposit. */
  depositAmount: string
  /** The fee, deducted from the deposit. */
  fee: string
  /** What is credited: the deposit minus the fee. */
  creditAmount: string
  /** The TRON address to pay to. Null until the invoice is `pending`. */
  address: string | null
  /** The exact amount of USDT to transfer, with six decimals. Never round it: the payment is recognised by it. */
  payAmount: string | null
  /** Always `USDT`. */
  asset: string
  /** Always `TRON`. */
  network: string
  /** The payment must arrive before this time. */
  expiresAt: string | null
  /** When the invoice was created. */
  createdAt: string
  /** A page for the payer. Everyone who has the link can see it. */
  payUrl: string
  /** Why the invoice is, or was, in `manual_review`. */
  reasons: ('underpaid' | 'overpaid' | 'paid_late' | 'multiple_payments' | 'issuer_unknown')[]
  /** How much USDT the issuer reported as received. */
  receivedAmount: string | null
  /** Why the invoice failed. Only there when it did. */
  failure?: Failure
  /** Who ordered it. What was ordered before version 1.0 has none. */
  createdBy?: Creator
  /** Who cancelled the invoice. Only there when it was cancelled; `expiresAt` is then the time of it. */
  cancelledBy?: Creator
}

export interface GetBalanceHistoryQuery {
  /** The first UTC day, inclusive. */
  from: string
  /** The last UTC day, inclusive. At most 366 days in all. */
  to: string
}

/** How the calls of an issuer went in five minutes. */
export interface HealthPoint {
  /** The start of five minutes. */
  at: string
  /** How many calls were answered. */
  answered: number
  /** How many calls had no clear answer. */
  unanswered: number
  /** How long an answer took on average. Null if there was none. */
  latencyMs: number | null
}

/** A cardholder: a person or company that cards are issued to. */
export interface Holder {
  /** The id of the cardholder, `hld_…`. */
  id: string
  /** The name of the person or company. */
  name: string
  /** The e-mail address of the cardholder. */
  email: string
  /** A person or a company. */
  kind: 'individual' | 'corporate'
  /** Only an `active` cardholder can get a card. */
  status: HolderStatus
  /** Your own id for this cardholder, if you gave one. */
  externalId?: string
  /** Present if the personal data was erased: `running` until older records are cleared too, then `completed`. */
  erasure?: 'running' | 'completed'
}

/** What the issuer of live cards needs to know of a cardholder. */
export interface HolderDetails {
  /** Whether details can be entered here. */
  isOffered: boolean
  /** Why they cannot be entered here. Null if they can. */
  reason: string | null
  /** What the issuer needs to know beyond name and e-mail address. Empty if that is enough. */
  fields: HolderField[]
  /** When details were last entered. Null if nobody has. What was entered is never shown. */
  enteredAt: string | null
  /** Whether the card provider already has the cardholder. Details that are entered then do not change what it has. */
  isEnrolled: boolean
}

/** The details of a cardholder, for the issuer. This server keeps them nowhere. */
export interface HolderDetailsEntry {
  /** All details. They replace those that were entered before. An empty list removes them. */
  values: readonly HolderValue[]
}

/** Something that the issuer needs to know of a cardholder. */
export interface HolderField {
  /** The name of the field. */
  name: string
  /** What it is, for people. */
  label: string
  /** Whether the issuer issues no card without it. */
  isRequired: boolean
}

export interface HolderFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. Without `limit` and `cursor` the whole list is answered. */
  limit?: number | undefined
  /** The order: the newest first, the oldest first, or by name without regard to upper and lower case. */
  sort?: NameSort | undefined
  /** Only cardholders with this status. */
  status?: HolderStatus | undefined
  /** Only persons or only companies. */
  kind?: 'individual' | 'corporate' | undefined
  /** Only the cardholder with this id of yours. */
  externalId?: string | undefined
  /** Only cardholders with exactly this address. */
  email?: string | undefined
  /**
   * Only cardholders whose name or e-mail address begins with this. At least two characters; upper and lower case are the
   * same.
   */
  q?: string | undefined
}

/** Where the cardholder is. */
export interface HolderPlace {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
}

/** The new status of a cardholder. */
export interface HolderStatusChange {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** Only an `active` cardholder can get a card. */
  status: HolderStatus
}

/** What to change of a cardholder. What is left out stays as it is. */
export interface HolderUpdate {
  /** The name of the person or company. */
  name?: string | undefined
  /** The e-mail address of the cardholder. */
  email?: string | undefined
  /** Your own id for this cardholder. Null removes it. */
  externalId?: string | null | undefined
}

/** One detail of a cardholder. */
export interface HolderValue {
  /** The name of the field. */
  field: string
  /** What was entered. */
  value: string
}

/** An invitation, without its link. */
export interface Invitation {
  /** The id of the invitation, `invt_…`. */
  id: string
  /** The e-mail address of whoever is invited. */
  email: string
  /** The company. Null for the programme. */
  companyId: string | null
  /** The role that they get. */
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  /** Whether it can still be used. */
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  /** Who invited. */
  createdBy: string
  /** When the invitation was made. */
  createdAt: string
  /** When the link stops working. */
  expiresAt: string
  /**
   * What became of the e-mail with the link: `none` (the server sends no mail, or the link ended first), `limited` (not
   * sent, because too many mails went to this address or out for this company in a day), `waiting`, `sent` (a mail server
   * has taken it) or `failed` (no mail server took it; pass the link on, or invite again). `limited` is only in the answer
   * that makes the link.
   */
  mail: 'none' | 'limited' | 'waiting' | 'sent' | 'failed'
}

export interface InvitationFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The company. The programme when left out. */
  companyId?: string | undefined
}

export interface InvoiceFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The order: the newest first, or the oldest first. */
  sort?: Sort | undefined
  /** Only invoices with this status. */
  status?: InvoiceStatus | undefined
}

/** One step of an invoice. */
export interface InvoiceStep {
  /** What happened. `paid`: the block of the payment; `received`: the issuer confirmed it. */
  step: 'created' | 'paid' | 'received' | 'cancelled' | 'expired' | 'manual_review' | 'credited' | 'failed'
  /** When it happened. */
  at: string
  /** Of a payment, how much USDT; of a credit, how many US dollars. */
  amount?: string
  /** Of a credit: the fee that was deducted. */
  fee?: string
  /** Of a payment: the issuer's id of it. */
  reference?: string
  /** Of a payment on TRON: the id of its transaction, if the issuer reported it. */
  transactionId?: string
  /** Of money that came after the invoice was closed: the payment, `rev_…`, that was decided on its own. */
  paymentId?: string
}

/** What happened to an invoice. */
export interface InvoiceTimeline {
  /** What happened, from the first step to the last. */
  steps: InvoiceStep[]
}

/** One call of the issuer and its answer. */
export interface IssuerExchange {
  /** `request` or `look_up`. */
  purpose: string
  /** What was sent to the issuer. */
  sent: unknown
  /** What came back. */
  received: unknown
  /** What the answer was taken for. */
  outcome: string
  /** When the call began. */
  startedAt: string
  /** When the call ended. */
  finishedAt: string | null
}

/** How an issuer answers all processes of this server. */
export interface IssuerHealth {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** When the first call was made that was not answered since the last answer. Null if the last call was answered. */
  notAnsweringSince: string | null
  /** When the issuer last answered, within the last day. */
  lastAnswerAt: string | null
  /** How long an answer took on average in the latest five minutes with one. */
  latencyMs: number | null
  /** The share of calls without a clear answer in the last five minutes with calls, from 0 to 1. */
  unansweredShare: number | null
  /** How many operations wait to be sent, counted up to 10,000. */
  queued: number
  /** When the oldest of them was accepted. Null if none waits. */
  oldestQueuedAt: string | null
  /** The last 24 hours, oldest first, without the times in which there were no calls. */
  history: HealthPoint[]
}

/** How the issuer stands at this moment. */
export interface IssuerState {
  /** Null if this issuer keeps no cards at a provider. */
  cards: CardsState | null
  /** Null if this issuer watches no chain. */
  deposits: ChainState | null
  /** Events that the server has not accepted yet. */
  eventsWaiting: number
  /** Events that the server has refused for good, and that are not sent any more. */
  eventsRefused: number
}

/** How to replace the key. */
export interface KeyRotation {
  /** For how long the old key still works. The default is 24 hours, the maximum 7 days. */
  overlapSeconds?: number | undefined
}

/** The result of an audit of the ledger. */
export interface LedgerAudit {
  /** How many accounts were audited. */
  accounts: number
  /** How many entries were read. */
  entries: number
  /** What is wrong. Empty when the books are right. */
  differences: LedgerDifference[]
}

/** Something in the books of an account that does not agree. */
export interface LedgerDifference {
  /** The company of the account. */
  companyId: string
  /** The name of the company, as it is now. */
  companyName?: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What does not agree. */
  difference: string
}

/** The live issuer of this server. */
export interface LiveIssuer {
  /** Whether this server has a live issuer. */
  isConfigured: boolean
  /** Whether the issuer answered this question just now. */
  isAnswering: boolean
  /** The version of the protocol that it speaks. Null until it has answered. */
  protocol: string | null
  /** Who carries the requests out. Null if it does not say. */
  provider: string | null
  /** Whether it moves real money. Null if it does not say. */
  mode: 'test' | 'live' | null
  /** What it carries out. */
  kinds: string[]
  /** What the money of a card is there: a balance, or a limit. */
  cardModes: string[]
  /** The smallest deposit, in US dollars. */
  invoiceMinimum: string | null
  /** The kinds of calls that this process does not make at the moment, because they were not answered. */
  stopped: string[]
  /** How the issuer stands. Null if it does not answer, or if it answers and does not say that. */
  state: IssuerState | null
}

/** The money of the whole programme in one environment. */
export interface MoneyTotals {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** How many companies there are. */
  companies: number
  /** What all card accounts have available. */
  available: string
  /** What all card accounts hold. */
  held: string
  /** What is on all cards that are not closed. */
  onCards: string
}

/** A card, as lists name it. */
export interface NamedCard {
  /** The id of the card. */
  id: string
  /** The label of the card. */
  name: string
  /** The last four digits of the card number. */
  last4: string
}

/** A cardholder, as lists name it. */
export interface NamedHolder {
  /** The id of the cardholder. */
  id: string
  /** The name of the cardholder. */
  name: string
}

/** A product, as lists name it. */
export interface NamedProduct {
  /** The id of the product. */
  id: string
  /** The name of the product. */
  name: string
}

/** A key to create. */
export interface NewApiKey {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What the key is for. */
  name: string
  /** What the key may do. Give each key only what it needs. */
  scopes: readonly Scope[]
  /** When the key stops working. By default it does not expire. */
  expiresAt?: string | undefined
  /** The networks that the key may be used from, such as `["203.0.113.0/24"]`. The default is all networks. */
  allowedCidrs?: readonly string[] | undefined
}

/** A company to create. */
export interface NewCompany {
  /** The name of the company. */
  name: string
  /** An individual may issue 500 cards in a calendar month; a corporate company has no such limit. */
  kind: 'individual' | 'corporate'
}

/** A cardholder to add to a company. */
export interface NewCompanyHolder {
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** The name of the person or company. */
  name: string
  /** The e-mail address of the cardholder. */
  email: string
  /** A person or a company. */
  kind: 'individual' | 'corporate'
  /** Your own id for this cardholder. */
  externalId?: string | undefined
}

/** A cardholder to add. */
export interface NewHolder {
  /** The name of the person or company. */
  name: string
  /** The e-mail address of the cardholder. */
  email: string
  /** A person or a company. */
  kind: 'individual' | 'corporate'
  /** Your own id for this cardholder. */
  externalId?: string | undefined
}

/** An invoice to create. */
export interface NewInvoice {
  /** The deposit in whole US dollars, at least 10. The fee of 1.5 % is deducted from it. */
  amount: string
}

/** Issue a card to a cardholder and put money on it. */
export interface NewIssueOperation {
  /** Issue a card. */
  type: 'issue'
  /** How much to put on the card. The fee comes on top. */
  amount: string
  /** The total that you expect. If the total is another one, the request is refused with `quote_changed`. */
  expectedTotal?: string
  /** The card product, from `GET /products`. */
  productId: string
  /** The cardholder, from `GET /holders`. Must be `active`. */
  holderId: string
  /** A label for the card. The default is the cardholder's name. */
  name?: string
}

/** What to do: `type` decides which other fields there are. */
export type NewOperation = NewIssueOperation | NewTopupOperation | NewServiceOperation

/** A token to create. */
export interface NewOperatorToken {
  /** Who or what will use the token. */
  name: string
}

/** A price to set. */
export interface NewPrice {
  /** The type of operation that the price is for. */
  operationType: OperationType
  /** How to compute the fee, and which amounts to allow. */
  pricing: NewPricing
  /** When the price takes effect. It must not be in the past. By default, the price takes effect immediately. */
  validFrom?: string | undefined
  /** The only company that pays this price. By default, every company without a price of its own pays it. */
  companyId?: string | undefined
}

/** How to compute the fee, and which amounts to allow. A rule that does not apply is null or left out. */
export interface NewPricing {
  /** A fee that does not depend on the amount. */
  flatFee?: string | null
  /** A fee in proportion to the amount, as a decimal fraction: "0.002" is 0.2 %. */
  rate?: string | null
  /** The fee is at least this. */
  minimumFee?: string | null
  /** The amount must be at least this. */
  minimumAmount?: string | null
  /** The amount must be at most this. */
  maximumAmount?: string | null
  /** The amount must be exactly this. */
  fixedPrice?: string | null
}

/** A product to add. */
export interface NewProduct {
  /** An id that you choose: `prod_` and 1 to 60 lower-case letters, digits or underscores. */
  id: string
  /** A card product is issued; a service product is ordered. */
  kind: 'card' | 'service'
  /** The name of the product. */
  name: string
  /** What the product is. */
  description: string
  /** Products are listed by this number, the lowest first. */
  position?: number | undefined
  /** The price of issuing the card, or of the service. */
  pricing: NewPricing
  /** The price of topping up the card. Only for cards. */
  topupPricing?: NewPricing | undefined
}

/** Somebody to invite to a company or to the programme. */
export interface NewProgrammeInvitation {
  /** The e-mail address of whoever is invited. */
  email: string
  /** A role of companies with `companyId`, `operator` or `support` without. */
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  /** The company. Left out for the programme. */
  companyId?: string | undefined
}

/** A card payment to simulate. */
export interface NewSandboxTransaction {
  /** The card to use. */
  cardId: string
  /** What kind of movement it is. It decides the sign of the amount. */
  type: TransactionType
  /** The amount, without a sign. */
  amount: string
  /** The currency: a code of ISO 4217 that is in use. The default is `USD`. */
  currency?: string | undefined
  /** The name of the merchant. The default is an invented one, but for fees and adjustments. */
  merchant?: string | undefined
  /**
   * The country of the merchant, ISO 3166-1 alpha-2. The default is that of the invented merchant, and none if you name the
   * merchant.
   */
  country?: string | undefined
  /**
   * The category of the merchant (MCC), ISO 18245: four digits. The default suits the merchant: `6011` for a withdrawal, and
   * `5999` if you name the merchant.
   */
  merchantCategory?: string | undefined
  /** What the network says about the payment. */
  description?: string | undefined
  /** The status to begin with. The default is `settled`. */
  status?: TransactionStatus | undefined
}

/** Order a service. */
export interface NewServiceOperation {
  /** Order a service. */
  type: 'service'
  /** The amount of the service. If the product has a fixed price, exactly that price. */
  amount: string
  /** The total that you expect. If the total is another one, the request is refused with `quote_changed`. */
  expectedTotal?: string
  /** The service product, from `GET /products`. */
  productId: string
  /** Who or what the service is for, such as a telephone number. */
  recipient: string
}

/** Add money to a card. */
export interface NewTopupOperation {
  /** Top up a card. */
  type: 'topup'
  /** How much to add to the card. The fee comes on top. */
  amount: string
  /** The total that you expect. If the total is another one, the request is refused with `quote_changed`. */
  expectedTotal?: string
  /** The card's product. It can be left out. */
  productId?: string
  /** The card, from `GET /cards`. Must be `active`. */
  cardId: string
}

/** An endpoint to register. Without `events` it gets all of them. */
export interface NewWebhookEndpoint {
  /**
   * Where events are sent: an `https://` address that is publicly reachable. The sandbox also takes `http://`, and a server
   * that only its own machine can reach takes addresses of that machine.
   */
  url: string
  /** The types of events to send, or `["*"]` for all types, including those that are added later. */
  events?: readonly (EventType | '*')[] | undefined
  /** A note for you. */
  description?: string | undefined
}

/** A node of the chain. */
export interface NodeState {
  /** The address of the node, without a key. */
  name: string
  /** The newest solidified block that it has named. */
  solidHead: number | null
  /** Why it could last not be used. */
  lastError: string | null
}

/** A request to issue a card, top up a card or order a service, and what became of it. */
export interface Operation {
  /** The id of the operation, `op_…`. */
  id: string
  /** What the operation does. */
  type: OperationType
  /**
   * Where the operation stands. `completed` and `failed` are final. In `manual_review` the outcome is not known, and a
   * person decides.
   */
  status: OperationStatus
  /** The amount that goes to the card or the service. */
  amount: string
  /** The fee, charged on top of the amount. */
  fee: string
  /** The amount and the fee. It is reserved while the operation is open. */
  total: string
  /** The result. Empty until the operation is completed. */
  result: OperationResult
  /** Why the operation failed. Only there when it did. */
  failure?: Failure
  /** When the operation was accepted. */
  createdAt: string
  /** The card that it concerns, as it is called now. Not in events. */
  card?: NamedCard
  /** The cardholder that it concerns, as it is called now. Not in events. */
  holder?: NamedHolder
  /** The product that was ordered, as it is called now. Not in events. */
  product?: NamedProduct
  /** Who or what a service is for. Not in events. */
  recipient?: string
  /** What it is in words, such as “Virtual card for Ada Lovelace ·· 5112”. Not in events. */
  title?: string
  /** Who ordered it. Not in events, nor in the answer to the request that created it. */
  createdBy?: Creator
}

export interface OperationFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The order: the newest first, or the oldest first. */
  sort?: Sort | undefined
  /** Only operations of this type. */
  type?: OperationType | undefined
  /** Only operations with this status. */
  status?: OperationStatus | undefined
  /** Only operations of this card. */
  cardId?: string | undefined
  /** Only operations created from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only operations created until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
  /** Only the operation that was created with this `Idempotency-Key`. */
  idempotencyKey?: string | undefined
}

/** What was asked for, besides the amount. */
export interface OperationRequest {
  /** The product that was ordered. */
  productId: string
  /** The cardholder of a card that was to be issued. */
  holderId?: string
  /** The card that was to be topped up. */
  cardId?: string
  /** The label of a card that was to be issued. */
  name?: string
  /** Who or what a service was for. */
  recipient?: string
}

/** The result of a completed operation. Empty for any other operation. */
export interface OperationResult {
  /** The card that was issued or topped up. */
  cardId?: string
  /** The issuer's receipt. */
  receipt?: string
}

/** Something that happened to an operation. */
export interface OperationStep {
  /**
   * What happened: the operation was `accepted` and its funds reserved, handed to be `sent` to the issuer, `answered` in
   * another way than by carrying it out, `looked_up` at the issuer, or took its present status.
   */
  step: 'accepted' | 'sent' | 'answered' | 'looked_up' | 'completed' | 'failed' | 'manual_review'
  /** When it happened. */
  at: string
  /** What an answer or a look-up told. Only there for `answered` and `looked_up`. */
  outcome?: 'confirmed' | 'declined' | 'not_sent' | 'absent' | 'unknown'
}

/** What was asked for with an operation, and what happened to it. */
export interface OperationTimeline {
  /** What was asked for, besides the amount. */
  request: OperationRequest
  /** The `Idempotency-Key` of the request that created the operation. */
  idempotencyKey: string
  /** What happened, from the first step to the last. */
  steps: OperationStep[]
}

/** An operator token, without the token itself. */
export interface OperatorToken {
  /** The id of the token, `key_…`, as the audit log names it. It is not the token itself. */
  id: string
  /** Who or what uses the token. */
  name: string
  /** How the token begins. */
  prefix: string
  /** The last four characters of the token. Null when version 0.1 stored it and no server knows it. */
  last4: string | null
  /** When the token was created. */
  createdAt: string
  /** When the token was revoked. Null when it was not. */
  revokedAt: string | null
  /** When the token was last used, to the minute. Null when it never was. */
  lastUsedAt: string | null
}

export interface PageQuery {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
}

/** Money that arrived after its invoice was closed, and what was decided about it. */
export interface PaymentReview {
  /** The id of the payment, `rev_…`. */
  id: string
  /** Always `payment`. */
  object: 'payment'
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What was decided about the payment. */
  status: 'manual_review' | 'completed' | 'failed'
  /** The invoice that the payment came for. */
  invoiceId: string
  /** How much USDT arrived. */
  amount: string
  /** The deposit that was made of it. Null unless it was credited. */
  depositAmount: string | null
  /** The fee on the deposit. Null unless it was credited. */
  fee: string | null
  /** What was credited. Null unless it was credited. */
  creditAmount: string | null
  /** When the payment was recorded. */
  createdAt: string
}

export interface PeopleFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The company. The programme when left out. */
  companyId?: string | undefined
}

/** Somebody who belongs to a company or to the programme. */
export interface Person {
  /** The id of the person, `per_…`. */
  id: string
  /** The name of the person. */
  name: string
  /** The e-mail address that the person signs in with. */
  email: string
  /** The role of the person here. */
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  /** Whether the person has an authenticator app or a passkey. */
  hasSecondFactor: boolean
  /** Since when the person belongs here. */
  createdAt: string
  /** When the person last used the console. Null when they never did. */
  lastSeenAt: string | null
}

export interface PersonPlace {
  /** The company. The programme when left out. */
  companyId?: string | undefined
}

/** A price of a product. Prices are added, never changed. */
export interface Price {
  /** The id of the price, `price_…`. */
  id: string
  /** The product. */
  productId: string
  /** The type of operation that the price is for. */
  operationType: OperationType
  /** The company that pays this price. Null for all companies without a price of their own. */
  companyId: string | null
  /** The name of the company, as it is now. Only in lists. */
  companyName?: string
  /** When the price takes effect. */
  validFrom: string
  /** How the fee is computed, and which amounts are allowed. */
  pricing: Pricing
  /** When the price was set. */
  createdAt: string
}

/** How the fee is computed, and which amounts are allowed. A rule that does not apply is null. */
export interface Pricing {
  /** A fee that does not depend on the amount. */
  flatFee: string | null
  /** A fee in proportion to the amount, as a decimal fraction: "0.002" is 0.2 %. */
  rate: string | null
  /** The fee is at least this. */
  minimumFee: string | null
  /** The amount must be at least this. */
  minimumAmount: string | null
  /** The amount must be at most this. */
  maximumAmount: string | null
  /** The amount must be exactly this. */
  fixedPrice: string | null
}

/** Something that can be ordered, with its price. */
export interface Product {
  /** The id of the product. Send it as `productId`. */
  id: string
  /** A card product is issued; a service product is ordered. */
  kind: 'card' | 'service'
  /** The name of the product. */
  name: string
  /** What the product is. */
  description: string
  /** Always `USD`. */
  currency: string
  /** The price of issuing the card, or of the service. */
  pricing: Pricing
  /** The price of topping up the card. Null for services. */
  topupPricing: Pricing | null
}

/** What to change. Fields that are left out stay as they are. */
export interface ProductChange {
  /** The name of the product. */
  name?: string | undefined
  /** What the product is. */
  description?: string | undefined
  /** Products are listed by this number, the lowest first. */
  position?: number | undefined
}

/** How the issuers answer and what the server does, with a day of history over all processes. */
export interface ProgrammeHealth {
  /** The sandbox’s issuer, and the live one if there is one. */
  issuers: IssuerHealth[]
  /** What the processes did. Each writes its figures once a minute; those of its last minute are missing if it was killed. */
  server: ServerHealth
}

/** What waits for an operator, and the money of the whole programme. */
export interface ProgrammeOverview {
  /** What waits for an operator. */
  waiting: WaitingOfAllKinds
  /** The totals of each environment. */
  money: MoneyTotals[]
}

/** A new role in a company or in the programme. */
export interface ProgrammeRoleChange {
  /** A role of companies with `companyId`, `operator` or `support` without. */
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  /** The company. Left out for the programme. */
  companyId?: string | undefined
}

/** What an operation would cost now. */
export interface Quote {
  /** The amount that was asked about. */
  amount: string
  /** The fee that would be charged now. */
  fee: string
  /** The amount and the fee. Send it as `expectedTotal`. */
  total: string
  /** Always `USD`. */
  currency: string
}

/** A payment of an invoice that the issuer reported. */
export interface ReceivedPayment {
  /** The issuer's id of the payment. */
  reference: string
  /** How much USDT arrived. */
  amount: string
  /** When the block was made. */
  paidAt: string
  /** When the server learned of it. */
  recordedAt: string
}

/** A comparison of this server's records with those of the live issuer. */
export interface Reconciliation {
  /** How many companies were compared. */
  companies: number
  /** How many requests were compared. */
  compared: number
  /** What does not agree. Empty when the two agree. */
  differences: ReconciliationDifference[]
}

/** A request on which this server and the issuer do not agree. */
export interface ReconciliationDifference {
  /** The company. */
  companyId: string
  /** The name of the company, as it is now. Left out when the company does not exist here. */
  companyName?: string
  /** The operation, invoice or card change. */
  id: string
  /** What kind of request it is. */
  kind: string
  /** What does not agree. */
  difference: string
}

/** Which events to recover. */
export interface RecoverOptions {
  /**
   * The start of the recovery. The default is the time when the endpoint was registered. A date (the whole UTC day) or a
   * date-time, inclusive.
   */
  since?: string | undefined
}

/** One request of a key of the company, and how it was answered. */
export interface RequestLog {
  /** The id of the record. */
  id: string
  /** The HTTP method. */
  method: string
  /** The path, without the query. */
  path: string
  /**
   * The query with its question mark, in which values that the log must not keep are replaced by `[redacted]`. Null if there
   * was none.
   */
  query: string | null
  /** The HTTP status of the answer. */
  status: number
  /** Milliseconds from the arrival of the request to the end of the answer. */
  durationMs: number
  /** The API key that was used. */
  keyId: string
  /** The value of `X-Request-Id`. */
  requestId: string
  /** The address that the request came from. */
  address: string
  /** The `code` of the error body; null for a success. */
  errorCode: string | null
  /**
   * The `Idempotency-Key` that was sent, with which the same request returns the first answer. Null if the call takes none,
   * or if the key looks like a secret or an e-mail address.
   */
  idempotencyKey: string | null
  /**
   * The body that was sent, redacted; null if there was none. One that was too long, unreadable or no object is redacted
   * altogether.
   */
  requestBody: RequestLogBody | null
  /** The body of the answer, redacted; null if there was none, or it was a list or too long. */
  responseBody: RequestLogBody | null
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** When the request was answered. */
  createdAt: string
}

/** A body, in which everything that the log must not keep is replaced by `[redacted]`. */
export type RequestLogBody = Record<string, unknown>

export interface RequestLogFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only requests that were answered with this status. */
  status?: number | undefined
  /** Only requests to exactly this path, without its query. */
  path?: string | undefined
  /** Only requests that were made with this API key. */
  keyId?: string | undefined
  /** Only requests from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only requests until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
}

/** Where to send the event again. */
export interface ResendOptions {
  /** The only endpoint to send to. The default is every enabled endpoint that receives events of this type. */
  endpointId?: string | undefined
}

/** A link for somebody who cannot sign in. */
export interface ResetLink {
  /** The link to pass on. It is shown only here and works once. */
  url: string
  /** When the link stops working. */
  expiresAt: string
  /**
   * What became of the e-mail with the link: `none` (the server sends no mail, or the link ended first), `limited` (not
   * sent, because too many mails went to this address or out for this company in a day), `waiting`, `sent` (a mail server
   * has taken it) or `failed` (no mail server took it; pass the link on, or invite again). `limited` is only in the answer
   * that makes the link.
   */
  mail: 'none' | 'limited' | 'waiting' | 'sent' | 'failed'
}

/** How to let somebody in again. */
export interface ResetOptions {
  /**
   * Whether the link also removes the authenticator app, the recovery codes and all passkeys, for somebody who has lost
   * them.
   */
  removeSecondFactor?: boolean | undefined
}

/** The object that was in review, after the decision. */
export type ResolvedObject = Operation | CardChange | FundingInvoice | PaymentReview

/** Something whose outcome a person has to decide. */
export interface Review {
  /** The id of the object that is in review. */
  id: string
  /** What kind of object it is. */
  object: 'operation' | 'invoice' | 'payment' | 'card_change'
  /** Of a payment: the invoice that it came for. */
  invoiceId?: string
  /** Of a payment: how much USDT arrived. */
  amount?: string
  /** What it is in words, such as “Virtual card for Ada Lovelace”, with the names of now. */
  title: string
  /** The company. */
  companyId: string
  /** The name of the company. */
  companyName: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** What is, or was, held until the decision. */
  heldAmount: string
  /** Since when it has been in review. Of a decided one, when it was decided. */
  since: string
  /** Why it is, or was, in review. */
  reasons: string[]
  /** Everything that is known: what was sent, what came back, and when. */
  dossier: ReviewDossier
  /** How it ended. Only there when it is no longer in review. */
  decision?: ReviewOutcome
}

/** Everything that is known: what was sent, what came back, and when. */
export interface ReviewDossier {
  /** What kind of request it is. */
  type: string
  /** When the request was accepted. */
  acceptedAt: string
  /** When a worker began to carry it out. */
  claimedAt: string | null
  /** What was asked for. */
  request: Record<string, unknown>
  /** What the ids in `request` are called now. */
  names: Record<string, unknown>
  /** Every call of the issuer, oldest first. */
  exchanges: IssuerExchange[]
  /** Of an invoice: the payments that arrived. */
  payments?: ReceivedPayment[]
  /** What to know before deciding. */
  note: string | null
}

export interface ReviewFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only reviews of this environment. */
  environment?: Environment | undefined
}

/** How a review ended. */
export interface ReviewOutcome {
  /** What was decided. */
  outcome: 'completed' | 'failed' | 'expired'
  /** Who decided, with what they were called then. `issuer` if its own late report did. */
  by: string
  /** The id of the person or token. Null for the issuer. */
  byId: string | null
  /** When it was decided. */
  at: string
  /** Why. Null for the issuer. */
  reason: string | null
  /** What the decision is based on, if that was said. */
  evidence: string | null
}

/** What a person decides. Which fields have a meaning depends on the object. */
export interface ReviewResolution {
  /** What happened. `expired` is for invoices only. */
  outcome: 'completed' | 'failed' | 'expired'
  /** Why it is decided this way, for the audit log. */
  reason: string
  /** What the decision is based on, such as the issuer's answer. */
  evidence?: string | undefined
  /** The id for the card that was issued. */
  cardId?: string | undefined
  /** The last four digits of the card that was issued. Needed to complete an issue. */
  last4?: string | undefined
  /** The issuer's receipt. */
  receipt?: string | undefined
  /** What was really received: US dollars for a card, USDT for an invoice or a payment. */
  receivedAmount?: string | undefined
}

/** Sandbox money to credit. */
export interface SandboxFunding {
  /** How much to credit. */
  amount: string
}

/** A payment to simulate. */
export interface SandboxPayment {
  /** How much USDT to pay. A second payment is added to the first. */
  amount: string
  /** When the block was made, in the past or the future. The default is now. */
  at?: string | undefined
}

/** What to decide. */
export interface SandboxResolution {
  /** What happened. `expired` is for invoices only. */
  outcome: 'completed' | 'failed' | 'expired'
  /** What was really received: US dollars for a card, USDT for an invoice or a payment. */
  receivedAmount?: string | undefined
}

/** What becomes of a pending payment. */
export interface SandboxTransactionStatus {
  /** What becomes of the payment. */
  status: 'settled' | 'reversed' | 'expired'
}

/**
 * A value of an account's hash chain, stored with its time. Whoever keeps a copy can prove later that no earlier entry was
 * changed.
 */
export interface Seal {
  /** The company of the account. */
  companyId: string
  /** The name of the company, as it is now. Only in lists. */
  companyName?: string
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** The number of the last entry that the seal covers. It covers those since the seal before it. */
  number: number
  /** The hash chain after that entry. */
  hash: string
  /** When the entries were sealed. */
  sealedAt: string
}

export interface SealFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** Only seals of this company. */
  companyId?: string | undefined
  /** Only seals of this environment. */
  environment?: Environment | undefined
}

/** How to replace the secret. */
export interface SecretRotation {
  /** For how long deliveries are signed with the old secret too. The default is 24 hours, the maximum 7 days. */
  overlapSeconds?: number | undefined
}

/** What all processes of this server did. */
export interface ServerHealth {
  /** Whether the database answers, writes, and has the same time, as the process that answers this call sees it. */
  databaseUsable: boolean
  /** The end of the last minute that the history may have. Later ones are not complete. */
  until: string
  /** The last 24 hours, oldest first. Where there is no point, no process wrote figures, and nothing is known. */
  history: ServerPoint[]
}

/** What all processes of this server did in five minutes. */
export interface ServerPoint {
  /** The start of five minutes. */
  at: string
  /** For how many of these minutes there are figures, 1 to 5. */
  minutes: number
  /** How many processes wrote figures of the same minute, at most. */
  processes: number
  /** How many requests were answered. */
  requests: number
  /** How many of them with a status of 500 and above. */
  serverErrors: number
  /** How many attempts were made to deliver an event. */
  webhookAttempts: number
  /** How many of them delivered nothing. */
  webhookFailures: number
  /** How many calls of the issuers were in flight at once, at most: the most of each process in a minute, added up. */
  callsInFlight: number
  /**
   * Whether a process did not make calls of some kind at the end of the last of these minutes, because the issuer had not
   * answered them.
   */
  callsStopped: boolean
  /** How many operations were queued at the end of a minute, at most. Null if it was not measured. */
  queued: number | null
  /** How many operations were in review at the end of a minute, at most. Null if it was not measured. */
  inReview: number | null
  /** How long a delivery to a working endpoint had been due at the end of a minute, at most. Null if it was not measured. */
  oldestDeliverySeconds: number | null
}

/** What was spent with cards. */
export interface Spend {
  /** How many payments there are. */
  count: number
  /** What was spent, in USD. Refunds lower it, so that it can be negative. */
  amount: string
  /** Always `USD`. */
  currency: string
  /** Months in their order; everything else with the largest amount first. */
  data: SpendRow[]
  /** Null when no row was left out. */
  others: SpendOthers | null
}

/** What the merchant sells. `other` has the categories of no other group; `unknown` is where the issuer did not say. */
export interface SpendCategory {
  /** The group. Groups may be added. */
  id: SpendCategoryId
  /** What the group is called. */
  name: string
}

export interface SpendFilter {
  /** What the payments are added up by. */
  by: 'month' | 'card' | 'holder' | 'merchant' | 'category'
  /** The first UTC day, inclusive. */
  from: string
  /** The last UTC day, inclusive. At most 366 days in all. */
  to: string
  /** How many rows to return at most. */
  limit?: number | undefined
}

/** The rows that `limit` left out, added up. */
export interface SpendOthers {
  /** How many rows were left out. */
  groups: number
  /** How many payments there are. */
  count: number
  /** What was spent, in USD. Refunds lower it, so that it can be negative. */
  amount: string
}

/** The payments of one card, holder, merchant, category or month, added up. */
export interface SpendRow {
  /** How many payments there are. */
  count: number
  /** What was spent, in USD. Refunds lower it, so that it can be negative. */
  amount: string
  /** The UTC month, such as `2026-01`. Present with `by=month`. */
  month?: string
  /** The name of the merchant; empty when it is not known. Present with `by=merchant`. */
  merchant?: string
  /** Present with `by=category`. */
  category?: SpendCategory
  /** The card that it concerns, as it is called now. Not in events. */
  card?: NamedCard
  /** The cardholder that it concerns, as it is called now. Not in events. */
  holder?: NamedHolder
}

/** The movements on the card account over whole UTC days. */
export interface Statement {
  /** The company that the account belongs to. */
  company: StatementCompany
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** Always `USD`. */
  currency: string
  /** Always `card_account`. */
  account: 'card_account'
  /** The first UTC day, inclusive. */
  from: string
  /** The last UTC day, inclusive. */
  to: string
  /** The balance before the first day. */
  openingBalance: string
  /** The opening balance, plus incoming, minus outgoing. */
  closingBalance: string
  /** The sum of the positive amounts. */
  incoming: string
  /** The sum of the negative amounts, without the sign. */
  outgoing: string
  /** When the statement was generated. */
  generatedAt: string
  /** The entries, oldest first. */
  data: StatementEntry[]
  /**
   * Where the entries are in the hash chain of the account. `cardstock verify` checks offline that the statement is
   * consistent in itself. The hashes have no key: whether the statement is the one that the server wrote is known only by
   * comparing it with the server, which `cardstock verify --server` does.
   */
  proof: StatementProof
}

/** The company that the account belongs to. */
export interface StatementCompany {
  /** The id of the company. */
  id: string
  /** The name of the company. */
  name: string
}

/** One movement on the card account. */
export interface StatementEntry {
  /** The id of the entry. */
  id: string
  /**
   * The id of the object that the entry belongs to: an operation, an invoice, a payment in review, a sandbox deposit or a
   * card.
   */
  reference: string
  /** What kind of movement it is. */
  kind: EntryKind
  /** The movement in words. */
  description: string
  /** By how much the balance changed. 0.00 for a reservation and a release. */
  amount: string
  /** The balance after the entry: available and held together. */
  balance: string
  /** By how much the available funds changed. */
  availableDelta: string
  /** By how much the held funds changed. */
  heldDelta: string
  /** When the entry was booked. */
  createdAt: string
}

/**
 * Where the entries are in the hash chain of the account. `cardstock verify` checks offline that the statement is
 * consistent in itself. The hashes have no key: whether the statement is the one that the server wrote is known only by
 * comparing it with the server, which `cardstock verify --server` does.
 */
export interface StatementProof {
  /** The number of the first entry. Entries of an account are numbered without gaps. */
  firstNumber: number
  /** The number of the last entry. */
  lastNumber: number
  /** What was held before the first entry. */
  openingHeld: string
  /** The hash chain before the first entry. */
  hashBefore: string
  /** The hash chain after the last entry. */
  hashAfter: string
  /** A digest of the whole statement, without a key. */
  digest: string
}

export interface StatementQuery {
  /** The first UTC day, inclusive. */
  from: string
  /** The last UTC day, inclusive. At most 366 days in all. */
  to: string
  /** The format of the answer. It takes precedence over the `Accept` header. */
  format?: 'json' | 'csv' | 'pdf' | undefined
}

/** A decision to suspend a company or to lift its suspension. */
export interface SuspensionChange {
  /** Whether to suspend the company or to lift the suspension. */
  suspended: boolean
  /** Why, for the audit log. */
  reason: string
}

/** A payment with a card, or another movement on it. */
export interface Transaction {
  /** The id of the transaction, `txn_…`. */
  id: string
  /** The card that was used. */
  cardId: string
  /** The issuer's id of the payment. */
  reference: string
  /** What kind of movement it is. */
  type: TransactionType
  /** `pending` can still change. `declined` was refused and moved no money. */
  status: TransactionStatus
  /** The amount in `currency`. Debits are negative. */
  amount: string
  /** The currency, ISO 4217. */
  currency: string
  /** The name of the merchant. Empty when it is not known. */
  merchant: string
  /** The country of the merchant, ISO 3166-1 alpha-2. Empty when it is not known. */
  country: string
  /** The category of the merchant (MCC), ISO 18245: four digits. Null when it is not known. */
  merchantCategory: string | null
  /** The group that `merchantCategory` belongs to. Not in events. */
  category?: SpendCategory
  /** What the network says about the payment. Empty when it says nothing. */
  description: string
  /** When the payment was made. */
  occurredAt: string
  /** The card that it concerns, as it is called now. Not in events. */
  card?: NamedCard
  /** The cardholder that it concerns, as it is called now. Not in events. */
  holder?: NamedHolder
}

export interface TransactionFilter {
  /** `nextCursor` of the previous page. The filters and the order must be the same as those of that page. */
  cursor?: string | undefined
  /** How many objects a page has: 1 to 100. */
  limit?: number | undefined
  /** The order: the newest first, or the oldest first. */
  sort?: Sort | undefined
  /** Only transactions of this card. */
  cardId?: string | undefined
  /** Only transactions of this type. */
  type?: TransactionType | undefined
  /** Only transactions with this status. */
  status?: TransactionStatus | undefined
  /** Only transactions whose merchant belongs to this group. */
  category?: SpendCategoryId | undefined
  /**
   * Only transactions whose merchant, or the last four digits of whose card, begin with this. At least two characters; upper
   * and lower case are the same.
   */
  q?: string | undefined
  /** Only transactions that occurred from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only transactions that occurred until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
}

/** Transactions of one type, status and currency, added up. */
export interface TransactionTotal {
  /** The type of these transactions. */
  type: TransactionType
  /** Their status. */
  status: TransactionStatus
  /** Their currency, ISO 4217. */
  currency: string
  /** How many there are. */
  count: number
  /** The sum of their amounts. Debits are negative. */
  amount: string
}

/** The sums of card payments. */
export interface TransactionTotals {
  /** One object for each combination of type, status and currency that occurs. Empty when no transaction matches. */
  data: TransactionTotal[]
}

export interface TransactionTotalsFilter {
  /** Only transactions of this card. */
  cardId?: string | undefined
  /** Only transactions of this type. */
  type?: TransactionType | undefined
  /** Only transactions with this status. */
  status?: TransactionStatus | undefined
  /** Only transactions whose merchant belongs to this group. */
  category?: SpendCategoryId | undefined
  /**
   * Only transactions whose merchant, or the last four digits of whose card, begin with this. At least two characters; upper
   * and lower case are the same.
   */
  q?: string | undefined
  /** Only transactions that occurred from this time on. A date (the whole UTC day) or a date-time, inclusive. */
  from?: string | undefined
  /** Only transactions that occurred until this time. A date (the whole UTC day) or a date-time, inclusive. */
  to?: string | undefined
}

/** A decision about the verification of a company. */
export interface VerificationDecision {
  /** What was decided. */
  decision: 'approve' | 'reject'
  /** Why, for the audit log. */
  reason?: string | undefined
}

/** What waits for an operator, of one kind. */
export interface Waiting {
  /** How many wait, counted up to 10,000. */
  count: number
  /** Since when the oldest waits. Null if none does. */
  oldest: string | null
  /** The company of the oldest. Null for reviews, which have a list of their own. */
  companyId: string | null
}

/** What waits for an operator. */
export interface WaitingOfAllKinds {
  /** Companies whose verification is not decided. */
  verifications: Waiting
  /** Cardholders who are not approved yet. */
  holders: Waiting
  /** Reviews of all kinds. */
  reviews: Waiting
  /** Webhook endpoints whose deliveries fail. */
  failingEndpoints: Waiting
}

/** One attempt to deliver an event to an endpoint. */
export interface WebhookAttempt {
  /** The id of the attempt, `att_…`. */
  id: string
  /** The event. */
  eventId: string
  /** The endpoint. */
  endpointId: string
  /** The number of the attempt. The first is 1. */
  number: number
  /** Whether the receiver answered with 2xx in time. */
  succeeded: boolean
  /** The status of the answer. Null when there was none. */
  statusCode: number | null
  /** Why there was no answer. Null when there was one. */
  error: string | null
  /** How long the attempt took, in milliseconds. */
  latencyMs: number
  /** The first kilobyte of the answer. */
  response: string | null
  /** When the attempt was made. */
  createdAt: string
  /**
   * When the event is sent to the endpoint again, at the earliest. Null when it was delivered or given up, and for all but
   * the newest attempt.
   */
  nextAttemptAt: string | null
}

/** A URL that receives events. */
export interface WebhookEndpoint {
  /** The id of the endpoint, `we_…`. */
  id: string
  /** Where events are sent. */
  url: string
  /** The types of events that are sent, or `["*"]` for all. */
  events: string[]
  /** Your note. */
  description: string | null
  /** A disabled endpoint gets no events. */
  status: 'enabled' | 'disabled'
  /**
   * Why the endpoint is disabled: `request` (you disabled it), `gone` (the receiver answered 410) or `failures` (every
   * attempt of five days failed).
   */
  disabledReason: string | null
  /** How well deliveries to the endpoint have gone. */
  health: WebhookHealth
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** When the endpoint was registered. */
  createdAt: string
}

/** What to change. Fields that are left out stay as they are. */
export interface WebhookEndpointChange {
  /**
   * Where events are sent: an `https://` address that is publicly reachable. The sandbox also takes `http://`, and a server
   * that only its own machine can reach takes addresses of that machine.
   */
  url?: string | undefined
  /** The types of events to send, or `["*"]` for all types, including those that are added later. */
  events?: readonly (EventType | '*')[] | undefined
  /** A note for you. */
  description?: string | undefined
  /** Disable or enable the endpoint. */
  status?: 'enabled' | 'disabled' | undefined
}

/** An endpoint with its new secret. */
export interface WebhookEndpointWithSecret {
  /** The id of the endpoint, `we_…`. */
  id: string
  /** Where events are sent. */
  url: string
  /** The types of events that are sent, or `["*"]` for all. */
  events: string[]
  /** Your note. */
  description: string | null
  /** A disabled endpoint gets no events. */
  status: 'enabled' | 'disabled'
  /**
   * Why the endpoint is disabled: `request` (you disabled it), `gone` (the receiver answered 410) or `failures` (every
   * attempt of five days failed).
   */
  disabledReason: string | null
  /** How well deliveries to the endpoint have gone. */
  health: WebhookHealth
  /** The environment that the object belongs to. Sandbox objects never touch live money. */
  environment: Environment
  /** When the endpoint was registered. */
  createdAt: string
  /** The secret that signs deliveries. It is shown only here. */
  secret: string
}

/** How well deliveries to the endpoint have gone. */
export interface WebhookHealth {
  /** When a delivery last succeeded. */
  lastSuccessAt: string | null
  /** Since when every delivery has failed. Null when the last one succeeded. */
  failingSince: string | null
  /** How many attempts have failed in a row. */
  failures: number
}

/** A recovery that has begun. */
export interface WebhookRecovery {
  /** Every event since this time that was not acknowledged is sent. */
  since: string
}
