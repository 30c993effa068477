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

export interface AccountEntry {
  id: string
  reference: string
  kind: EntryKind
  description: string
  amount: string
  balance: string
  availableDelta: string
  heldDelta: string
  createdAt: string
  title: string
  card?: NamedCard
  holder?: NamedHolder
}

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
  replacedBy: string | null
}

export interface AuditEntry {
  id: string
  companyId: string | null
  actor: string
  actorKind: 'person' | 'key' | 'operator_token' | 'link' | 'program' | 'issuer' | null
  actorId: string | null
  actorName: string | null
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
  object?: string | undefined
  actorId?: string | undefined
}

export interface Balance {
  available: string
  held: string
  total: string
  currency: string
  environment: Environment
}

export interface BalanceDay {
  day: string
  balance: string
  held: string
}

export interface BalanceHistory {
  environment: Environment
  currency: string
  data: BalanceDay[]
}

export interface Capabilities {
  liveServices: boolean
  directInvoices: boolean
}

export interface CapabilityChange {
  liveServices?: boolean | undefined
  directInvoices?: boolean | undefined
}

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
  holder?: NamedHolder
}

export interface CardChange {
  id: string
  cardId: string
  wantedStatus: 'active' | 'frozen' | 'closed'
  status: 'processing' | 'completed' | 'failed' | 'manual_review'
  returnedAmount?: string
  /** Why the change failed. */
  failure?: Failure
  createdAt: string
  endedAt: string | null
  createdBy?: Creator
}

export interface CardFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: CardStatus | undefined
  holderId?: string | undefined
  productId?: string | undefined
  q?: string | undefined
}

export interface CardsState {
  provider: string
  cardMode: 'balance' | 'limit'
  requestsOpen: number
  requestsWaiting: number
  waitingSince: string | null
  eventsReadAt: string | null
  lastEventAt: string | null
  eventsOfUnknownCards: number
  owed: string
  float: string | null
  floatReadAt: string | null
}

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

export interface ChainState {
  network: string
  isCrediting: boolean
  message: string
  height: number | null
  blockTime: string | null
  lag: number | null
  agreement: 'one_node' | 'agree' | 'disagree' | 'unknown'
  nodes: NodeState[]
  transfersOpen: number
  received: string
}

export interface Company {
  id: string
  name: string
  kind: 'individual' | 'corporate'
  verification: 'pending' | 'approved' | 'rejected'
  capabilities: Capabilities
  suspended: boolean
  createdAt: string
  balances?: CompanyBalance[]
}

export interface CompanyBalance {
  environment: Environment
  available: string
  held: string
}

export interface CompanyFilter {
  cursor?: string | undefined
  limit?: number | undefined
  verification?: 'pending' | 'approved' | 'rejected' | undefined
  q?: string | undefined
}

export interface CompanyHolderFilter {
  cursor?: string | undefined
  limit?: number | undefined
  environment: Environment
  status?: HolderStatus | undefined
}

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

export interface CreatedInvitation {
  id: string
  email: string
  companyId: string | null
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  createdBy: string
  createdAt: string
  expiresAt: string
  url: string
}

export interface CreatedOperatorToken {
  id: string
  name: string
  prefix: string
  last4: string | null
  createdAt: string
  token: string
}

export interface Creator {
  kind: 'key' | 'person' | 'operator'
  id: string
  name: string
}

export type Empty = Record<string, never>

export interface EntryFilter {
  cursor?: string | undefined
  limit?: number | undefined
  from?: string | undefined
  to?: string | undefined
  kind?: EntryKind | undefined
  moves?: 'balance' | undefined
  reference?: string | undefined
}

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

export interface EventResend {
  deliveries: number
}

export interface EventStreamQuery {
  types?: string | undefined
  after?: string | undefined
}

export interface Failure {
  code: string
  message: string
}

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
  createdBy?: Creator
  cancelledBy?: Creator
}

export interface GetBalanceHistoryQuery {
  from: string
  to: string
}

export interface HealthPoint {
  at: string
  answered: number
  unanswered: number
  latencyMs: number | null
}

export interface Holder {
  id: string
  name: string
  email: string
  kind: 'individual' | 'corporate'
  status: HolderStatus
  externalId?: string
  erasure?: 'running' | 'completed'
}

export interface HolderFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: HolderStatus | undefined
  kind?: 'individual' | 'corporate' | undefined
  externalId?: string | undefined
  email?: string | undefined
  q?: string | undefined
}

export interface HolderPlace {
  environment: Environment
}

export interface HolderStatusChange {
  environment: Environment
  status: HolderStatus
}

export interface HolderUpdate {
  name?: string | undefined
  email?: string | undefined
  externalId?: string | null | undefined
}

export interface Invitation {
  id: string
  email: string
  companyId: string | null
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  status: 'open' | 'accepted' | 'revoked' | 'expired'
  createdBy: string
  createdAt: string
  expiresAt: string
}

export interface InvitationFilter {
  cursor?: string | undefined
  limit?: number | undefined
  companyId?: string | undefined
}

export interface InvoiceFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: InvoiceStatus | undefined
}

export interface InvoiceStep {
  step: 'created' | 'paid' | 'received' | 'cancelled' | 'expired' | 'manual_review' | 'credited' | 'failed'
  at: string
  amount?: string
  fee?: string
  reference?: string
  transactionId?: string
  paymentId?: string
}

export interface InvoiceTimeline {
  steps: InvoiceStep[]
}

export interface IssuerExchange {
  purpose: string
  sent: unknown
  received: unknown
  outcome: string
  startedAt: string
  finishedAt: string | null
}

export interface IssuerHealth {
  environment: Environment
  notAnsweringSince: string | null
  lastAnswerAt: string | null
  latencyMs: number | null
  unansweredShare: number | null
  queued: number
  oldestQueuedAt: string | null
  history: HealthPoint[]
}

export interface IssuerState {
  cards: CardsState | null
  deposits: ChainState | null
  eventsWaiting: number
  eventsRefused: number
}

export interface KeyRotation {
  overlapSeconds?: number | undefined
}

export interface LedgerAudit {
  accounts: number
  entries: number
  differences: LedgerDifference[]
}

export interface LedgerDifference {
  companyId: string
  environment: Environment
  difference: string
}

export interface LiveIssuer {
  isConfigured: boolean
  isAnswering: boolean
  protocol: string | null
  provider: string | null
  mode: 'test' | 'live' | null
  kinds: string[]
  cardModes: string[]
  invoiceMinimum: string | null
  stopped: string[]
  state: IssuerState | null
}

export interface MoneyTotals {
  environment: Environment
  companies: number
  available: string
  held: string
  onCards: string
}

export interface NamedCard {
  id: string
  name: string
  last4: string
}

export interface NamedHolder {
  id: string
  name: string
}

export interface NamedProduct {
  id: string
  name: string
}

export interface NewApiKey {
  environment: Environment
  name: string
  scopes: readonly Scope[]
  expiresAt?: string | undefined
  allowedCidrs?: readonly string[] | undefined
}

export interface NewCompany {
  name: string
  kind: 'individual' | 'corporate'
}

export interface NewCompanyHolder {
  environment: Environment
  name: string
  email: string
  kind: 'individual' | 'corporate'
  externalId?: string | undefined
}

export interface NewHolder {
  name: string
  email: string
  kind: 'individual' | 'corporate'
  externalId?: string | undefined
}

export interface NewInvoice {
  amount: string
}

export interface NewIssueOperation {
  type: 'issue'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId: string
  holderId: string
  name?: string
}

export type NewOperation = NewIssueOperation | NewTopupOperation | NewServiceOperation

export interface NewOperatorToken {
  name: string
}

export interface NewPrice {
  operationType: OperationType
  pricing: NewPricing
  validFrom?: string | undefined
  companyId?: string | undefined
}

export interface NewPricing {
  flatFee?: string | null
  /** A fee in proportion to the amount, as a decimal fraction. */
  rate?: string | null
  minimumFee?: string | null
  minimumAmount?: string | null
  maximumAmount?: string | null
  fixedPrice?: string | null
}

export interface NewProduct {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  position?: number | undefined
  pricing: NewPricing
  topupPricing?: NewPricing | undefined
}

export interface NewProgrammeInvitation {
  email: string
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  companyId?: string | undefined
}

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

export interface NewServiceOperation {
  type: 'service'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId: string
  recipient: string
}

export interface NewTopupOperation {
  type: 'topup'
  amount: string
  /** The total that you expect. */
  expectedTotal?: string
  productId?: string
  cardId: string
}

export interface NewWebhookEndpoint {
  url: string
  events?: readonly (EventType | '*')[] | undefined
  description?: string | undefined
}

export interface NodeState {
  name: string
  solidHead: number | null
  lastError: string | null
}

export interface Operation {
  id: string
  type: OperationType
  status: OperationStatus
  amount: string
  fee: string
  total: string
  /** The result. */
  result: OperationResult
  /** Why the operation failed. */
  failure?: Failure
  createdAt: string
  card?: NamedCard
  holder?: NamedHolder
  product?: NamedProduct
  recipient?: string
  title?: string
  createdBy?: Creator
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

export interface OperationRequest {
  productId: string
  holderId?: string
  cardId?: string
  name?: string
  recipient?: string
}

export interface OperationResult {
  cardId?: string
  receipt?: string
}

export interface OperationStep {
  step: 'accepted' | 'sent' | 'answered' | 'looked_up' | 'completed' | 'failed' | 'manual_review'
  at: string
  outcome?: 'confirmed' | 'declined' | 'not_sent' | 'absent' | 'unknown'
}

export interface OperationTimeline {
  request: OperationRequest
  idempotencyKey: string
  steps: OperationStep[]
}

export interface OperatorToken {
  id: string
  name: string
  prefix: string
  last4: string | null
  createdAt: string
  revokedAt: string | null
  lastUsedAt: string | null
}

export interface PageQuery {
  cursor?: string | undefined
  limit?: number | undefined
}

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

export interface PeopleFilter {
  cursor?: string | undefined
  limit?: number | undefined
  companyId?: string | undefined
}

export interface Person {
  id: string
  name: string
  email: string
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  hasSecondFactor: boolean
  createdAt: string
  lastSeenAt: string | null
}

export interface PersonPlace {
  companyId?: string | undefined
}

export interface Price {
  id: string
  productId: string
  operationType: OperationType
  companyId: string | null
  validFrom: string
  pricing: Pricing
  createdAt: string
}

export interface Pricing {
  flatFee: string | null
  /** A fee in proportion to the amount, as a decimal fraction. */
  rate: string | null
  minimumFee: string | null
  minimumAmount: string | null
  maximumAmount: string | null
  fixedPrice: string | null
}

export interface Product {
  id: string
  kind: 'card' | 'service'
  name: string
  description: string
  currency: string
  pricing: Pricing
  topupPricing: Pricing | null
}

export interface ProductChange {
  name?: string | undefined
  description?: string | undefined
  position?: number | undefined
}

export interface ProgrammeHealth {
  issuers: IssuerHealth[]
}

export interface ProgrammeOverview {
  waiting: WaitingOfAllKinds
  money: MoneyTotals[]
}

export interface ProgrammeRoleChange {
  role: 'owner' | 'developer' | 'finance' | 'viewer' | 'operator' | 'support'
  companyId?: string | undefined
}

export interface Quote {
  amount: string
  fee: string
  total: string
  currency: string
}

export interface ReceivedPayment {
  reference: string
  amount: string
  paidAt: string
  recordedAt: string
}

export interface Reconciliation {
  companies: number
  compared: number
  differences: ReconciliationDifference[]
}

export interface ReconciliationDifference {
  companyId: string
  id: string
  kind: string
  difference: string
}

export interface RecoverOptions {
  since?: string | undefined
}

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
  idempotencyKey: string | null
  requestBody: RequestLogBody | null
  responseBody: RequestLogBody | null
  environment: Environment
  createdAt: string
}

export type RequestLogBody = Record<string, unknown>

export interface RequestLogFilter {
  cursor?: string | undefined
  limit?: number | undefined
  status?: number | undefined
  path?: string | undefined
  keyId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface ResendOptions {
  endpointId?: string | undefined
}

export interface ResetLink {
  url: string
  expiresAt: string
}

export interface ResetOptions {
  removeSecondFactor?: boolean | undefined
}

export type ResolvedObject = Operation | CardChange | FundingInvoice | PaymentReview

export interface Review {
  id: string
  object: 'operation' | 'invoice' | 'payment' | 'card_change'
  invoiceId?: string
  amount?: string
  companyId: string
  environment: Environment
  heldAmount: string
  since: string
  /** Why it is, or was, in review. */
  reasons: string[]
  dossier: ReviewDossier
  decision?: ReviewOutcome
}

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
  environment?: Environment | undefined
}

export interface ReviewOutcome {
  outcome: 'completed' | 'failed' | 'expired'
  by: string
  byId: string | null
  at: string
  reason: string | null
  evidence: string | null
}

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

export interface SandboxFunding {
  amount: string
}

export interface SandboxPayment {
  amount: string
  at?: string | undefined
}

export interface SandboxResolution {
  outcome: 'completed' | 'failed' | 'expired'
  /** What was really received. */
  receivedAmount?: string | undefined
}

export interface SandboxTransactionStatus {
  status: 'settled' | 'reversed' | 'expired'
}

export interface Seal {
  companyId: string
  environment: Environment
  number: number
  hash: string
  sealedAt: string
}

export interface SealFilter {
  cursor?: string | undefined
  limit?: number | undefined
  companyId?: string | undefined
  environment?: Environment | undefined
}

export interface SecretRotation {
  overlapSeconds?: number | undefined
}

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

export interface StatementCompany {
  id: string
  name: string
}

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

export interface SuspensionChange {
  suspended: boolean
  reason: string
}

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
  card?: NamedCard
  holder?: NamedHolder
}

export interface TransactionFilter {
  cursor?: string | undefined
  limit?: number | undefined
  cardId?: string | undefined
  type?: TransactionType | undefined
  status?: TransactionStatus | undefined
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface TransactionTotal {
  type: TransactionType
  status: TransactionStatus
  currency: string
  count: number
  amount: string
}

export interface TransactionTotals {
  data: TransactionTotal[]
}

export interface TransactionTotalsFilter {
  cardId?: string | undefined
  type?: TransactionType | undefined
  status?: TransactionStatus | undefined
  q?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export interface VerificationDecision {
  decision: 'approve' | 'reject'
  reason?: string | undefined
}

export interface Waiting {
  count: number
  oldest: string | null
  companyId: string | null
}

export interface WaitingOfAllKinds {
  verifications: Waiting
  holders: Waiting
  reviews: Waiting
  failingEndpoints: Waiting
}

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
  nextAttemptAt: string | null
}

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

export interface WebhookEndpointChange {
  url?: string | undefined
  events?: readonly (EventType | '*')[] | undefined
  description?: string | undefined
  status?: 'enabled' | 'disabled' | undefined
}

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

export interface WebhookHealth {
  lastSuccessAt: string | null
  failingSince: string | null
  failures: number
}

export interface WebhookRecovery {
  since: string
}
