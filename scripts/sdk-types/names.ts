// The names of SDK types that have no name, or a different one, in the OpenAPI document. The types of endpoints that are not
// listed here are named after their operationId, so that a new endpoint never stops the generator.

export interface EndpointNames {
  /** Name of the type of the query parameters. */
  readonly query?: string
  /** Name of the type of the request body. */
  readonly body?: string
}

export const ENDPOINT_NAMES: Readonly<Record<string, EndpointNames>> = {
  'GET /api/v1/operations': { query: 'OperationFilter' },
  'POST /api/v1/operations': { body: 'NewOperation' },
  'POST /api/v1/quotes': { body: 'NewOperation' },
  'GET /api/v1/card-account/invoices': { query: 'InvoiceFilter' },
  'POST /api/v1/card-account/invoices': { body: 'NewInvoice' },
  'GET /api/v1/transactions': { query: 'TransactionFilter' },
  'GET /api/v1/transactions/totals': { query: 'TransactionTotalsFilter' },
  'GET /api/v1/spend': { query: 'SpendFilter' },
  'GET /api/v1/account-entries': { query: 'EntryFilter' },
  'GET /api/v1/account-statements': { query: 'StatementQuery' },
  'GET /api/v1/cards': { query: 'CardFilter' },
  'GET /api/v1/holders': { query: 'HolderFilter' },
  'POST /api/v1/holders': { body: 'NewHolder' },
  'GET /api/v1/events': { query: 'EventFilter' },
  'GET /api/v1/events/stream': { query: 'EventStreamQuery' },
  'GET /api/v1/request-logs': { query: 'RequestLogFilter' },
  'POST /api/v1/events/{id}/resend': { body: 'ResendOptions' },
  'POST /api/v1/webhook-endpoints': { body: 'NewWebhookEndpoint' },
  'PATCH /api/v1/webhook-endpoints/{id}': { body: 'WebhookEndpointChange' },
  'POST /api/v1/webhook-endpoints/{id}/rotate-secret': { body: 'SecretRotation' },
  'POST /api/v1/webhook-endpoints/{id}/recover': { body: 'RecoverOptions' },
  'POST /api/v1/sandbox/funding': { body: 'SandboxFunding' },
  'POST /api/v1/sandbox/transactions': { body: 'NewSandboxTransaction' },
  'POST /api/v1/sandbox/transactions/{id}/status': { body: 'SandboxTransactionStatus' },
  'POST /api/v1/sandbox/invoices/{id}/payments': { body: 'SandboxPayment' },
  'POST /api/v1/sandbox/reviews/{id}/resolve': { body: 'SandboxResolution' },
  'POST /admin/v1/companies': { body: 'NewCompany' },
  'POST /admin/v1/companies/{id}/verification': { body: 'VerificationDecision' },
  'POST /admin/v1/companies/{id}/suspension': { body: 'SuspensionChange' },
  'PATCH /admin/v1/companies/{id}/capabilities': { body: 'CapabilityChange' },
  'POST /admin/v1/companies/{id}/keys': { body: 'NewApiKey' },
  'POST /admin/v1/companies/{id}/keys/{keyId}/rotate': { body: 'KeyRotation' },
  'POST /admin/v1/companies/{id}/holders': { body: 'NewCompanyHolder' },
  'PATCH /admin/v1/companies/{id}/holders/{holderId}': { body: 'HolderStatusChange' },
  'POST /admin/v1/companies/{id}/holders/{holderId}/erase': { body: 'HolderPlace' },
  'GET /admin/v1/reviews': { query: 'ReviewFilter' },
  'POST /admin/v1/reviews/{id}/resolve': { body: 'ReviewResolution' },
  'GET /admin/v1/ledger/seals': { query: 'SealFilter' },
  'POST /admin/v1/operator-tokens': { body: 'NewOperatorToken' },
  'GET /admin/v1/audit-log': { query: 'AuditLogFilter' },
  'GET /admin/v1/companies/{id}/holders': { query: 'CompanyHolderFilter' },
  'PATCH /api/v1/holders/{id}': { body: 'HolderUpdate' },
  'PUT /api/v1/holders/{id}/details': { body: 'HolderDetailsEntry' },
  'GET /admin/v1/companies': { query: 'CompanyFilter' },
  'GET /admin/v1/invitations': { query: 'InvitationFilter' },
  'GET /admin/v1/people': { query: 'PeopleFilter' },
  'DELETE /admin/v1/people/{id}': { query: 'PersonPlace' },
}

/** Components that have a different name in the SDK. */
export const COMPONENT_NAMES: Readonly<Record<string, string>> = {
  AccountStatement: 'Statement',
  Event: 'EventEnvelope',
  Payment: 'PaymentReview',
}

/**
 * Lists of values that a program can offer as choices, with the type of one value. The place is a query parameter
 * (`GET /path?name`) or a property of a component (`Component.property`).
 */
export const VALUE_LISTS: readonly (readonly [list: string, type: string, place: string])[] = [
  ['ENVIRONMENTS', 'Environment', 'Balance.environment'],
  ['OPERATION_TYPES', 'OperationType', 'GET /api/v1/operations?type'],
  ['OPERATION_STATUSES', 'OperationStatus', 'GET /api/v1/operations?status'],
  ['INVOICE_STATUSES', 'InvoiceStatus', 'GET /api/v1/card-account/invoices?status'],
  ['CARD_STATUSES', 'CardStatus', 'GET /api/v1/cards?status'],
  ['HOLDER_KINDS', 'HolderKind', 'GET /api/v1/holders?kind'],
  ['HOLDER_STATUSES', 'HolderStatus', 'GET /api/v1/holders?status'],
  ['TRANSACTION_TYPES', 'TransactionType', 'GET /api/v1/transactions?type'],
  ['TRANSACTION_STATUSES', 'TransactionStatus', 'GET /api/v1/transactions?status'],
  ['SPEND_CATEGORIES', 'SpendCategoryId', 'GET /api/v1/transactions?category'],
  ['SORTS', 'Sort', 'GET /api/v1/operations?sort'],
  ['NAME_SORTS', 'NameSort', 'GET /api/v1/holders?sort'],
  ['ENTRY_KINDS', 'EntryKind', 'StatementEntry.kind'],
  ['EVENT_TYPES', 'EventType', 'GET /api/v1/events?type'],
  ['COMPANY_KINDS', 'CompanyKind', 'Company.kind'],
  ['SCOPES', 'Scope', 'CreatedApiKey.scopes'],
]
