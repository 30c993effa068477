// The two entrances of the package: Cardstock for a company, CardstockAdmin for the operator of a server.
import type { Call } from './call.ts'
import { type ClientOptions, type Method, type RawRequest, readSettings } from './options.ts'
import { Invitations, OperatorTokens, People } from './resources/admin-access.ts'
import { AuditLog, Books, Catalog, Companies, CompanyHolders, Keys, Programme, Reviews } from './resources/admin.ts'
import { Cards, Holders } from './resources/cards.ts'
import {
  AccountBalance,
  Invoices,
  Operations,
  Products,
  Quotes,
  Statements,
  Transactions,
} from './resources/company.ts'
import { Events, RequestLogs, WebhookEndpoints } from './resources/webhooks.ts'
import { Sandbox } from './resources/sandbox.ts'
import { createTransport, type Transport } from './transport.ts'
import { webhooks } from './webhooks.ts'

export interface CardstockOptions extends ClientOptions {
  /** A key of the company, `cstk_sandbox_…` or `cstk_live_…`. Default: CARDSTOCK_API_KEY. */
  readonly apiKey?: string | undefined
}

/** A company's view of the server. The key decides the company and the environment. */
export class Cardstock {
  /** The address of the server. */
  readonly baseUrl: string
  /** Ordering cards, top-ups and services. */
  readonly operations: Operations
  /** What an operation would cost. */
  readonly quotes: Quotes
  /** Funding the card account. */
  readonly invoices: Invoices
  /** Reading, freezing and closing cards. */
  readonly cards: Cards
  /** Whom cards are issued to. */
  readonly holders: Holders
  /** What was paid with the cards. */
  readonly transactions: Transactions
  /** Statements of the card account, with their proof. */
  readonly statements: Statements
  /** The card account: its balance, its history and its movements. */
  readonly balance: AccountBalance
  /** What can be ordered. */
  readonly products: Products
  /** Where events are delivered. */
  readonly webhookEndpoints: WebhookEndpoints
  /** What happened: as a list and as a stream. */
  readonly events: Events
  /** The requests of the company. */
  readonly requestLogs: RequestLogs
  /** What the issuer, the payer and the operator do, for trials in the sandbox. */
  readonly sandbox: Sandbox
  /** Verifying what arrives; the same as the `webhooks` export, which needs no key. */
  readonly webhooks: typeof webhooks = webhooks
  readonly #transport: Transport

  constructor({ apiKey, ...options }: CardstockOptions = {}) {
    const secret = { name: 'apiKey', variable: 'CARDSTOCK_API_KEY', value: apiKey }
    const transport = createTransport(readSettings(options, secret))
    this.#transport = transport
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

  /**
   * Sends any request, such as `request('GET', '/api/v1/balance')`, for calls that this version has no method for.
   * It has the same limits, retries and errors, and the answer must be JSON.
   */
  request<Data = unknown>(method: Method, path: string, request?: RawRequest): Call<Data> {
    return this.#transport.request(method, path, request) as Call<Data>
  }
}

export interface CardstockAdminOptions extends ClientOptions {
  /** `cstk_operator_…`. Default: CARDSTOCK_OPERATOR_TOKEN. */
  readonly operatorToken?: string | undefined
}

/** The operator's view of the server. */
export class CardstockAdmin {
  /** The address of the server. */
  readonly baseUrl: string
  /** The companies with their verification and what they may do. */
  readonly companies: Companies
  /** The API keys of companies. */
  readonly keys: Keys
  /** The cardholders of companies. */
  readonly holders: CompanyHolders
  /** The catalogue and its prices. */
  readonly products: Catalog
  /** What a person has to decide. */
  readonly reviews: Reviews
  /** The audit of the ledger, its seals, and what the issuer has. */
  readonly books: Books
  /** The people with an account. */
  readonly people: People
  /** Invitations of people. */
  readonly invitations: Invitations
  /** What waits for operators, and how the issuers answer. */
  readonly programme: Programme
  /** Who did what. */
  readonly auditLog: AuditLog
  /** The tokens of operators. */
  readonly operatorTokens: OperatorTokens
  readonly #transport: Transport

  constructor({ operatorToken, ...options }: CardstockAdminOptions = {}) {
    const secret = { name: 'operatorToken', variable: 'CARDSTOCK_OPERATOR_TOKEN', value: operatorToken }
    const transport = createTransport(readSettings(options, secret))
    this.#transport = transport
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

  /**
   * Sends any request, such as `request('GET', '/admin/v1/companies')`, for calls that this version has no method for.
   * It has the same limits, retries and errors, and the answer must be JSON.
   */
  request<Data = unknown>(method: Method, path: string, request?: RawRequest): Call<Data> {
    return this.#transport.request(method, path, request) as Call<Data>
  }
}
