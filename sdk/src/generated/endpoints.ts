// Generated from the OpenAPI documents by `npm run generate`. Do not edit.
// What each endpoint takes and returns. The methods of the SDK are checked against it.
import type {
  AccountEntry,
  ApiKey,
  AuditEntry,
  AuditLogFilter,
  Balance,
  BalanceAlert,
  BalanceAlertChange,
  BalanceHistory,
  CapabilityChange,
  Card,
  CardChange,
  CardFilter,
  CardNumberPage,
  CardTotals,
  CatalogProduct,
  Company,
  CompanyFilter,
  CompanyHolderFilter,
  CreatedApiKey,
  CreatedInvitation,
  CreatedOperatorToken,
  Empty,
  EntryFilter,
  EventEnvelope,
  EventFilter,
  EventResend,
  EventStreamQuery,
  FundingInvoice,
  GetBalanceHistoryQuery,
  Holder,
  HolderDetails,
  HolderDetailsEntry,
  HolderFilter,
  HolderPlace,
  HolderStatusChange,
  HolderUpdate,
  Invitation,
  InvitationFilter,
  InvoiceFilter,
  InvoiceTimeline,
  KeyRotation,
  LedgerAudit,
  LiveIssuer,
  NewApiKey,
  NewCompany,
  NewCompanyHolder,
  NewHolder,
  NewInvoice,
  NewOperation,
  NewOperatorToken,
  NewPrice,
  NewProduct,
  NewProgrammeInvitation,
  NewSandboxTransaction,
  NewWebhookEndpoint,
  Operation,
  OperationFilter,
  OperationTimeline,
  OperatorToken,
  PageQuery,
  PeopleFilter,
  Person,
  PersonPlace,
  Price,
  Product,
  ProductChange,
  ProgrammeHealth,
  ProgrammeOverview,
  ProgrammeRoleChange,
  Quote,
  Reconciliation,
  RecoverOptions,
  RequestLog,
  RequestLogFilter,
  ResendOptions,
  ResetLink,
  ResetOptions,
  ResolvedObject,
  Review,
  ReviewFilter,
  ReviewResolution,
  SandboxFunding,
  SandboxPayment,
  SandboxResolution,
  SandboxTransactionStatus,
  Seal,
  SealFilter,
  SecretRotation,
  Spend,
  SpendFilter,
  Statement,
  StatementQuery,
  SuspensionChange,
  Transaction,
  TransactionFilter,
  TransactionTotals,
  TransactionTotalsFilter,
  VerificationDecision,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
  WebhookRecovery,
} from './types.ts'

export interface Endpoints {
  'POST /api/v1/card-account/invoices': { body: NewInvoice; result: FundingInvoice }
  'GET /api/v1/card-account/invoices': { query: InvoiceFilter; result: { data: FundingInvoice[] } }
  'GET /api/v1/card-account/invoices/{id}': { result: FundingInvoice }
  'GET /api/v1/card-account/invoices/{id}/timeline': { result: InvoiceTimeline }
  'POST /api/v1/card-account/invoices/{id}/cancel': { result: FundingInvoice }
  'POST /api/v1/operations': { body: NewOperation; result: Operation }
  'GET /api/v1/operations': { query: OperationFilter; result: { data: Operation[] } }
  'GET /api/v1/operations/{id}': { result: Operation }
  'GET /api/v1/operations/{id}/timeline': { result: OperationTimeline }
  'POST /api/v1/quotes': { body: NewOperation; result: Quote }
  'GET /api/v1/balance': { result: Balance }
  'GET /api/v1/balance/alert': { result: BalanceAlert }
  'PATCH /api/v1/balance/alert': { body: BalanceAlertChange; result: BalanceAlert }
  'GET /api/v1/balance/history': { query: GetBalanceHistoryQuery; result: BalanceHistory }
  'GET /api/v1/account-entries': { query: EntryFilter; result: { data: AccountEntry[] } }
  'GET /api/v1/account-statements': { query: StatementQuery; result: Statement }
  'GET /api/v1/transactions': { query: TransactionFilter; result: { data: Transaction[] } }
  'GET /api/v1/transactions/totals': { query: TransactionTotalsFilter; result: TransactionTotals }
  'GET /api/v1/transactions/{id}': { result: Transaction }
  'GET /api/v1/spend': { query: SpendFilter; result: Spend }
  'GET /api/v1/products': { result: { data: Product[] } }
  'GET /api/v1/holders': { query: HolderFilter; result: { data: Holder[] } }
  'POST /api/v1/holders': { body: NewHolder; result: Holder }
  'GET /api/v1/holders/{id}': { result: Holder }
  'PATCH /api/v1/holders/{id}': { body: HolderUpdate; result: Holder }
  'POST /api/v1/holders/{id}/erase': { result: Holder }
  'GET /api/v1/holders/{id}/details': { result: HolderDetails }
  'PUT /api/v1/holders/{id}/details': { body: HolderDetailsEntry; result: HolderDetails }
  'GET /api/v1/cards': { query: CardFilter; result: { data: Card[] } }
  'GET /api/v1/cards/totals': { result: CardTotals }
  'GET /api/v1/cards/{id}': { result: Card }
  'POST /api/v1/cards/{id}/freeze': { result: Card }
  'POST /api/v1/cards/{id}/unfreeze': { result: Card }
  'POST /api/v1/cards/{id}/close': { result: Card }
  'GET /api/v1/cards/{id}/changes': { query: PageQuery; result: { data: CardChange[] } }
  'POST /api/v1/cards/{id}/number-page': { result: CardNumberPage }
  'POST /api/v1/webhook-endpoints': { body: NewWebhookEndpoint; result: WebhookEndpointWithSecret }
  'GET /api/v1/webhook-endpoints': { query: PageQuery; result: { data: WebhookEndpoint[] } }
  'GET /api/v1/webhook-endpoints/{id}': { result: WebhookEndpoint }
  'PATCH /api/v1/webhook-endpoints/{id}': { body: WebhookEndpointChange; result: WebhookEndpoint }
  'DELETE /api/v1/webhook-endpoints/{id}': { result: void }
  'GET /api/v1/webhook-endpoints/{id}/attempts': { query: PageQuery; result: { data: WebhookAttempt[] } }
  'POST /api/v1/webhook-endpoints/{id}/rotate-secret': { body: SecretRotation; result: WebhookEndpointWithSecret }
  'POST /api/v1/webhook-endpoints/{id}/ping': { result: EventEnvelope }
  'POST /api/v1/webhook-endpoints/{id}/recover': { body: RecoverOptions; result: WebhookRecovery }
  'GET /api/v1/events/stream': { query: EventStreamQuery; result: void }
  'GET /api/v1/events': { query: EventFilter; result: { data: EventEnvelope[] } }
  'GET /api/v1/events/{id}': { result: EventEnvelope }
  'GET /api/v1/events/{id}/attempts': { query: PageQuery; result: { data: WebhookAttempt[] } }
  'POST /api/v1/events/{id}/resend': { body: ResendOptions; result: EventResend }
  'GET /api/v1/request-logs': { query: RequestLogFilter; result: { data: RequestLog[] } }
  'POST /api/v1/sandbox/funding': { body: SandboxFunding; result: Empty }
  'POST /api/v1/sandbox/reviews/{id}/resolve': { body: SandboxResolution; result: ResolvedObject }
  'POST /api/v1/sandbox/transactions': { body: NewSandboxTransaction; result: Transaction }
  'POST /api/v1/sandbox/transactions/{id}/status': { body: SandboxTransactionStatus; result: Transaction }
  'POST /api/v1/sandbox/invoices/{id}/complete': { result: FundingInvoice }
  'POST /api/v1/sandbox/invoices/{id}/payments': { body: SandboxPayment; result: FundingInvoice }
  'POST /admin/v1/companies': { body: NewCompany; result: Company }
  'GET /admin/v1/companies': { query: CompanyFilter; result: { data: Company[] } }
  'GET /admin/v1/companies/{id}': { result: Company }
  'POST /admin/v1/companies/{id}/verification': { body: VerificationDecision; result: Company }
  'POST /admin/v1/companies/{id}/suspension': { body: SuspensionChange; result: Company }
  'PATCH /admin/v1/companies/{id}/capabilities': { body: CapabilityChange; result: Company }
  'POST /admin/v1/companies/{id}/keys': { body: NewApiKey; result: CreatedApiKey }
  'GET /admin/v1/companies/{id}/keys': { query: PageQuery; result: { data: ApiKey[] } }
  'POST /admin/v1/companies/{id}/keys/{keyId}/rotate': { body: KeyRotation; result: CreatedApiKey }
  'DELETE /admin/v1/companies/{id}/keys/{keyId}': { result: void }
  'GET /admin/v1/companies/{id}/holders': { query: CompanyHolderFilter; result: { data: Holder[] } }
  'POST /admin/v1/companies/{id}/holders': { body: NewCompanyHolder; result: Holder }
  'PATCH /admin/v1/companies/{id}/holders/{holderId}': { body: HolderStatusChange; result: Holder }
  'POST /admin/v1/companies/{id}/holders/{holderId}/erase': { body: HolderPlace; result: Holder }
  'GET /admin/v1/companies/{id}/holders/{holderId}/details': { result: HolderDetails }
  'PUT /admin/v1/companies/{id}/holders/{holderId}/details': { body: HolderDetailsEntry; result: HolderDetails }
  'GET /admin/v1/products': { result: { data: CatalogProduct[] } }
  'POST /admin/v1/products': { body: NewProduct; result: CatalogProduct }
  'PATCH /admin/v1/products/{id}': { body: ProductChange; result: CatalogProduct }
  'POST /admin/v1/products/{id}/retire': { result: CatalogProduct }
  'GET /admin/v1/products/{id}/prices': { query: PageQuery; result: { data: Price[] } }
  'POST /admin/v1/products/{id}/prices': { body: NewPrice; result: Price }
  'GET /admin/v1/reviews': { query: ReviewFilter; result: { data: Review[] } }
  'GET /admin/v1/reviews/{id}': { result: Review }
  'POST /admin/v1/reviews/{id}/resolve': { body: ReviewResolution; result: ResolvedObject }
  'GET /admin/v1/ledger/audit': { result: LedgerAudit }
  'GET /admin/v1/ledger/seals': { query: SealFilter; result: { data: Seal[] } }
  'GET /admin/v1/reconciliation': { result: Reconciliation }
  'GET /admin/v1/issuer': { result: LiveIssuer }
  'GET /admin/v1/overview': { result: ProgrammeOverview }
  'GET /admin/v1/health': { result: ProgrammeHealth }
  'GET /admin/v1/audit-log': { query: AuditLogFilter; result: { data: AuditEntry[] } }
  'POST /admin/v1/operator-tokens': { body: NewOperatorToken; result: CreatedOperatorToken }
  'GET /admin/v1/operator-tokens': { query: PageQuery; result: { data: OperatorToken[] } }
  'DELETE /admin/v1/operator-tokens/{id}': { result: void }
  'GET /admin/v1/people': { query: PeopleFilter; result: { data: Person[] } }
  'PATCH /admin/v1/people/{id}': { body: ProgrammeRoleChange; result: Person }
  'DELETE /admin/v1/people/{id}': { query: PersonPlace; result: void }
  'POST /admin/v1/people/{id}/reset': { body: ResetOptions; result: ResetLink }
  'POST /admin/v1/invitations': { body: NewProgrammeInvitation; result: CreatedInvitation }
  'GET /admin/v1/invitations': { query: InvitationFilter; result: { data: Invitation[] } }
  'DELETE /admin/v1/invitations/{id}': { result: void }
}
