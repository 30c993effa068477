// The two entrances of the package: Cardstock for a company, CardstockAdmin for the operator of a server.
import { type ClientOptions, readSettings } from './options.ts'
import {
  AuditLog,
  Books,
  Catalog,
  Companies,
  CompanyHolders,
  Invitations,
  Keys,
  OperatorTokens,
  People,
  Programme,
  Reviews,
} from './resources/admin.ts'
import { Cards, Holders } from './resources/cards.ts'
import {
  AccountBalance,
  Invoices,
  Operations,
  Products,
  Quotes,
  Sandbox,
  Statements,
  Transactions,
} from './resources/company.ts'
import { Events, RequestLogs, WebhookEndpoints } from './resources/webhooks.ts'
import { createTransport } from './transport.ts'
import { webhooks } from './webhooks.ts'

export interface CardstockOptions extends ClientOptions {
  /** A key of the company, `cstk_sandbox_…` or `cstk_live_…`. Default: CARDSTOCK_API_KEY. */
  readonly apiKey?: string | undefined
}

/** A company's view of the server. The key decides the company and the environment. */
export class Cardstock {
  readonly baseUrl: string
  readonly operations: Operations
  readonly quotes: Quotes
  readonly invoices: Invoices
  readonly cards: Cards
  readonly holders: Holders
  readonly transactions: Transactions
  readonly statements: Statements
  readonly balance: AccountBalance
  readonly products: Products
  readonly webhookEndpoints: WebhookEndpoints
  readonly events: Events
  readonly requestLogs: RequestLogs
  readonly sandbox: Sandbox
  /** Verifying what arrives; the same as the `webhooks` export, which needs no key. */
  readonly webhooks: typeof webhooks = webhooks

  constructor({ apiKey, ...options }: CardstockOptions = {}) {
    const secret = { name: 'apiKey', variable: 'CARDSTOCK_API_KEY', value: apiKey }
    const transport = createTransport(readSettings(options, secret))
    this.baseUrl = transport.baseUrl
    this.operations = new Operations(transport)
    this.quotes = new Quotes(transport)
    this.invoices = new Invoices(transport)
    this.cards = new Cards(transport)
    this.holders = new Holders(transport)
    this.transactions = new Transactions(transport)
    this.statements = new Statements(transport)
    this.balance = new AccountBalance(transport)
    this.products = new Products(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
    this.events = new Events(transport)
    this.requestLogs = new RequestLogs(transport)
    this.sandbox = new Sandbox(transport)
  }
}

export interface CardstockAdminOptions extends ClientOptions {
  /** `cstk_operator_…`. Default: CARDSTOCK_OPERATOR_TOKEN. */
  readonly operatorToken?: string | undefined
}

/** The operator's view of the server. */
export class CardstockAdmin {
  readonly baseUrl: string
  readonly companies: Companies
  readonly keys: Keys
  readonly holders: CompanyHolders
  readonly products: Catalog
  readonly reviews: Reviews
  readonly books: Books
  readonly people: People
  readonly invitations: Invitations
  readonly programme: Programme
  readonly auditLog: AuditLog
  readonly operatorTokens: OperatorTokens

  constructor({ operatorToken, ...options }: CardstockAdminOptions = {}) {
    const secret = { name: 'operatorToken', variable: 'CARDSTOCK_OPERATOR_TOKEN', value: operatorToken }
    const transport = createTransport(readSettings(options, secret))
    this.baseUrl = transport.baseUrl
    this.companies = new Companies(transport)
    this.keys = new Keys(transport)
    this.holders = new CompanyHolders(transport)
    this.products = new Catalog(transport)
    this.reviews = new Reviews(transport)
    this.books = new Books(transport)
    this.people = new People(transport)
    this.invitations = new Invitations(transport)
    this.programme = new Programme(transport)
    this.auditLog = new AuditLog(transport)
    this.operatorTokens = new OperatorTokens(transport)
  }
}
