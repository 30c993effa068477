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
  EntryKind,
  EventType,
  Scope,
} from './values.ts'

/** An API key, without the key itself. */
export interface ApiKey {
  id: string
  prefix: string
  last4: string
  environment: Environment
  name: string
  scopes: Scope[]
  allowedCidrs: string[]
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

/** Who did what, when and from where. */
export interface AuditEntry {
  id: string
  companyId: string | null
  actor: string
  action: string
  object: string | null
  details: Record<string, unknown>
  address: string | null
  requestId: string | null
  createdAt: string
}

export interface AuditLogFilter {
  cursor?: string | undefined
  limit?: number | undefined
  companyId?: string | undefined
}

/** What the card account has now. */
export interface Balance {
  available: string
  held: string
  total: string
  currency: string
  environment: Environment
}

/** What the company is activated for in live. */
export interface Capabilities {
  liveServices: boolean
  directInvoices: boolean
}

/** What to activate or deactivate. */
export interface CapabilityChange {
  liveServices?: boolean | undefined
  directInvoices?: boolean | undefined
}

/** A card, masked. */
export interface Card {
  id: string
  name: string
  holderId: string
  last4: string
  status: CardStatus
  balance: string
  productId: string
  createdAt: string
  /** The status that was asked for. */
  pendingStatus?: 'active' | 'frozen' | 'closed'
}

/** A request to freeze, unfreeze or close a card, and what became of it. */
export interface CardChange {
  id: string
  cardId: string
  wantedStatus: 'active' | 'frozen' | 'closed'
  status: 'processing' | 'completed' | 'failed' | 'manual_review'
  returnedAmount?: string
  /** Why the change failed. */
  failure?: Failure
  createdAt: string
}

export interface CardFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: CardStatus | undefined
  holderId?: string | undefined
  productId?: string | undefined
}

/** A product as the operator sees it, with the prices of companies that have none of their own. */
export interface CatalogProduct {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  pricing: Pricing
  topupPricing: Pricing | null
  position: number
  retiredAt: string | null
}

/** A company of the card programme. */
export interface Company {
  id: string
  name: string
  kind: 'individual' | 'corporate'
  verification: 'pending' | 'approved' | 'rejected'
  capabilities: Capabilities
  suspended: boolean
  createdAt: string
}

/** A new API key. */
export interface CreatedApiKey {
  id: string
  prefix: string
  last4: string
  environment: Environment
  name: string
  scopes: Scope[]
  allowedCidrs: string[]
  createdAt: string
  expiresAt: string | null
  /** The key itself. */
  key: string
}

/** An empty object. */
export type Empty = Record<string, never>

/** What all events have in common. */
export interface EventEnvelope {
  id: string
  type: EventType
  createdAt: string
  environment: Environment
  companyId: string
  version: string
  /** Grows by one with each event of the same object, so that you can recognise an event that arrives late. */
  sequence: number
  data: Record<string, unknown>
}

export interface EventFilter {
  cursor?: string | undefined
  limit?: number | undefined
  type?: EventType | undefined
  from?: string | undefined
  to?: string | undefined
}

/** An event that is sent again. */
export interface EventResend {
  deliveries: number
}

/** Why something was not carried out. */
export interface Failure {
  code: string
  message: string
}

/** An invoice to fund the card account with USDT on TRON. */
export interface FundingInvoice {
  id: string
  environment: Environment
  status: InvoiceStatus
  depositAmount: string
  fee: string
  creditAmount: string
  address: string | null
  /** The exact amount of USDT to transfer, with six decimals. */
  payAmount: string | null
  asset: string
  network: string
  expiresAt: string | null
  createdAt: string
  /** A page for the payer. */
  payUrl: string
  /** Why the invoice is, or was, in `manual_review`. */
  reasons: ('underpaid' | 'overpaid' | 'paid_late' | 'multiple_payments' | 'issuer_unknown')[]
  /** How much USDT the issuer reported as received. */
  receivedAmount: string | null
  /** Why the invoice failed. */
  failure?: Failure
}

/** A cardholder. */
export interface Holder {
  id: string
  name: string
  email: string
  kind: 'individual' | 'corporate'
  status: HolderStatus
  externalId?: string
}

export interface HolderFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: HolderStatus | undefined
  kind?: 'individual' | 'corporate' | undefined
  externalId?: string | undefined
  email?: string | undefined
}

/** The new status of a cardholder. */
export interface HolderStatusChange {
  environment: Environment
  status: HolderStatus
}

export interface InvoiceFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: InvoiceStatus | undefined
}

/** One call of the issuer and its answer. */
export interface IssuerExchange {
  purpose: string
  sent: unknown
  received: unknown
  outcome: string
  startedAt: string
  finishedAt: string | null
}

/** How to replace the key. */
export interface KeyRotation {
  overlapSeconds?: number | undefined
}

/** The result of an audit of the ledger. */
export interface LedgerAudit {
  accounts: number
  entries: number
  differences: LedgerDifference[]
}

/** Something in the books of an account that does not agree. */
export interface LedgerDifference {
  companyId: string
  environment: Environment
  difference: string
}

/** A key to create. */
export interface NewApiKey {
  environment: Environment
  name: string
  scopes: readonly Scope[]
  expiresAt?: string | undefined
  allowedCidrs?: readonly string[] | undefined
}

/** A company to create. */
export interface NewCompany {
  name: string
  kind: 'individual' | 'corporate'
}

/** A cardholder to add to a company. */
export interface NewCompanyHolder {
  environment: Environment
  name: string
  email: string
  kind: 'individual' | 'corporate'
  externalId?: string | undefined
}

/** A cardholder to add. */
export interface NewHolder {
  name: string
  email: string
  kind: 'individual' | 'corporate'
  externalId?: string | undefined
}

/** An invoice to create. */
export interface NewInvoice {
  amount: string
}

/** Issue a card to a cardholder and put money on it. */
export interface NewIssueOperation {
  type: 'issue'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId: string
  holderId: string
  name?: string
}

/** What to do. */
export type NewOperation = NewIssueOperation | NewTopupOperation | NewServiceOperation

/** A price to set. */
export interface NewPrice {
  operationType: OperationType
  pricing: NewPricing
  validFrom?: string | undefined
  companyId?: string | undefined
}

/** How to compute the fee, and which amounts to allow. */
export interface NewPricing {
  flatFee?: string | null
  /** A fee in proportion to the amount, as a decimal fraction. */
  rate?: string | null
  minimumFee?: string | null
  minimumAmount?: string | null
  maximumAmount?: string | null
  fixedPrice?: string | null
}

/** A product to add. */
export interface NewProduct {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  position?: number | undefined
  pricing: NewPricing
  topupPricing?: NewPricing | undefined
}

/** A card payment to simulate. */
export interface NewSandboxTransaction {
  cardId: string
  type: TransactionType
  amount: string
  currency?: string | undefined
  merchant?: string | undefined
  country?: string | undefined
  description?: string | undefined
  status?: TransactionStatus | undefined
}

/** Order a service. */
export interface NewServiceOperation {
  type: 'service'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId: string
  recipient: string
}

/** Add money to a card. */
export interface NewTopupOperation {
  type: 'topup'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId?: string
  cardId: string
}

/** An endpoint to register. */
export interface NewWebhookEndpoint {
  url: string
  events?: readonly (EventType | '*')[] | undefined
  description?: string | undefined
}

/** A request to issue a card, top up a card or order a service, and what became of it. */
export interface Operation {
  id: string
  type: OperationType
  status: OperationStatus
  amount: string
  fee: string
  total: string
  /** What came out of it. */
  result: OperationResult
  /** Why the operation failed. */
  failure?: Failure
  createdAt: string
}

export interface OperationFilter {
  cursor?: string | undefined
  limit?: number | undefined
  type?: OperationType | undefined
  status?: OperationStatus | undefined
  cardId?: string | undefined
  from?: string | undefined
  to?: string | undefined
  idempotencyKey?: string | undefined
}

/** What a completed operation brought about. */
export interface OperationResult {
  cardId?: string
  receipt?: string
}

export interface PageQuery {
  cursor?: string | undefined
  limit?: number | undefined
}

/** Money that arrived after its invoice was closed, and what was decided about it. */
export interface PaymentReview {
  id: string
  object: 'payment'
  environment: Environment
  status: 'manual_review' | 'completed' | 'failed'
  invoiceId: string
  amount: string
  depositAmount: string | null
  fee: string | null
  creditAmount: string | null
  createdAt: string
}

/** A price of a product. */
export interface Price {
  id: string
  productId: string
  operationType: OperationType
  companyId: string | null
  validFrom: string
  pricing: Pricing
  createdAt: string
}

/** How the fee is computed, and which amounts are allowed. */
export interface Pricing {
  flatFee: string | null
  /** A fee in proportion to the amount, as a decimal fraction. */
  rate: string | null
  minimumFee: string | null
  minimumAmount: string | null
  maximumAmount: string | null
  fixedPrice: string | null
}

/** Something that can be ordered, with its price. */
export interface Product {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  pricing: Pricing
  topupPricing: Pricing | null
}

/** What to change. */
export interface ProductChange {
  name?: string | undefined
  description?: string | undefined
  position?: number | undefined
}

/** What an operation would cost now. */
export interface Quote {
  amount: string
  fee: string
  total: string
  currency: string
}

/** A payment of an invoice that the issuer reported. */
export interface ReceivedPayment {
  reference: string
  amount: string
  paidAt: string
  recordedAt: string
}

/** A comparison of this server's records with those of the live issuer. */
export interface Reconciliation {
  companies: number
  compared: number
  differences: ReconciliationDifference[]
}

/** A request on which this server and the issuer do not agree. */
export interface ReconciliationDifference {
  companyId: string
  id: string
  kind: string
  difference: string
}

/** Which events to recover. */
export interface RecoverOptions {
  since?: string | undefined
}

/** One request of a key of the company, and how it was answered. */
export interface RequestLog {
  id: string
  method: string
  path: string
  status: number
  durationMs: number
  keyId: string
  requestId: string
  address: string
  errorCode: string | null
  requestBody: Record<string, unknown> | null
  responseBody: Record<string, unknown> | null
  environment: Environment
  createdAt: string
}

export interface RequestLogFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: number | undefined
  path?: string | undefined
  keyId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Where to send the event again. */
export interface ResendOptions {
  endpointId?: string | undefined
}

/** Something whose outcome a person has to decide. */
export interface Review {
  id: string
  object: 'operation' | 'invoice' | 'payment' | 'card_change'
  invoiceId?: string
  amount?: string
  companyId: string
  environment: Environment
  heldAmount: string
  since: string
  /** Why it is in review. */
  reasons: string[]
  dossier: ReviewDossier
}

/** Everything that is known. */
export interface ReviewDossier {
  type: string
  acceptedAt: string
  claimedAt: string | null
  request: Record<string, unknown>
  exchanges: IssuerExchange[]
  payments?: ReceivedPayment[]
  note: string | null
}

export interface ReviewFilter {
  cursor?: string | undefined
  limit?: number | undefined
}

/** What a person decides. */
export interface ReviewResolution {
  outcome: 'completed' | 'failed' | 'expired'
  reason: string
  evidence?: string | undefined
  cardId?: string | undefined
  last4?: string | undefined
  receipt?: string | undefined
  /** What was really received. */
  receivedAmount?: string | undefined
}

/** Sandbox money to credit. */
export interface SandboxFunding {
  amount: string
}

/** A payment to simulate. */
export interface SandboxPayment {
  amount: string
  at?: string | undefined
}

/** What to decide. */
export interface SandboxResolution {
  outcome: 'completed' | 'failed' | 'expired'
  /** What was really received. */
  receivedAmount?: string | undefined
}

/** What becomes of a pending payment. */
export interface SandboxTransactionStatus {
  status: 'settled' | 'reversed' | 'expired'
}

/** How to replace the secret. */
export interface SecretRotation {
  overlapSeconds?: number | undefined
}

/** The movements on the card account over whole UTC days. */
export interface Statement {
  company: StatementCompany
  environment: Environment
  currency: string
  account: 'card_account'
  from: string
  to: string
  openingBalance: string
  closingBalance: string
  incoming: string
  outgoing: string
  generatedAt: string
  data: StatementEntry[]
  proof: StatementProof
}

/** The company that the account belongs to. */
export interface StatementCompany {
  id: string
  name: string
}

/** One movement on the card account. */
export interface StatementEntry {
  id: string
  reference: string
  kind: EntryKind
  description: string
  amount: string
  balance: string
  availableDelta: string
  heldDelta: string
  createdAt: string
}

/** Lets you verify offline that no entry was added, changed or left out. */
export interface StatementProof {
  firstNumber: number
  lastNumber: number
  openingHeld: string
  hashBefore: string
  hashAfter: string
  digest: string
}

export interface StatementQuery {
  from: string
  to: string
  format?: 'json' | 'csv' | 'pdf' | undefined
}

/** A decision to suspend a company or to lift its suspension. */
export interface SuspensionChange {
  suspended: boolean
  reason: string
}

/** A payment with a card, or another movement on it. */
export interface Transaction {
  id: string
  cardId: string
  reference: string
  type: TransactionType
  status: TransactionStatus
  amount: string
  currency: string
  merchant: string
  country: string
  description: string
  occurredAt: string
}

export interface TransactionFilter {
  cursor?: string | undefined
  limit?: number | undefined
  cardId?: string | undefined
  type?: TransactionType | undefined
  status?: TransactionStatus | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A decision about the verification of a company. */
export interface VerificationDecision {
  decision: 'approve' | 'reject'
  reason?: string | undefined
}

/** One attempt to deliver an event to an endpoint. */
export interface WebhookAttempt {
  id: string
  eventId: string
  endpointId: string
  number: number
  succeeded: boolean
  statusCode: number | null
  error: string | null
  latencyMs: number
  response: string | null
  createdAt: string
}

/** A URL that receives events. */
export interface WebhookEndpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  health: WebhookHealth
  environment: Environment
  createdAt: string
}

/** What to change. */
export interface WebhookEndpointChange {
  url?: string | undefined
  events?: readonly (EventType | '*')[] | undefined
  description?: string | undefined
  status?: 'enabled' | 'disabled' | undefined
}

/** An endpoint with its new secret. */
export interface WebhookEndpointWithSecret {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  health: WebhookHealth
  environment: Environment
  createdAt: string
  /** The secret that signs deliveries. */
  secret: string
}

/** How deliveries to the endpoint go. */
export interface WebhookHealth {
  lastSuccessAt: string | null
  failingSince: string | null
  failures: number
}

/** A recovery that has begun. */
export interface WebhookRecovery {
  since: string
}
