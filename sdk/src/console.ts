// The entrance for pages that the server itself serves: a person's session in a cookie takes the place of a key.
// Only the console of this repository uses it, from the sources: it is not part of the published package.
// It never sees a secret: the browser sends the cookie, and scripts cannot read it.
import { type CallOptions, type ClientOptions, makeSettings } from './options.ts'
import type { Environment } from './generated/values.ts'
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
import { ConsoleAccount } from './resources/account.ts'
import { ConsoleSession } from './resources/session.ts'
import { OwnKeys, Team } from './resources/team.ts'
import { Events, RequestLogs, WebhookEndpoints } from './resources/webhooks.ts'
import { Sandbox } from './resources/sandbox.ts'
import { createTransport, type Transport } from './transport.ts'

export type { AppSetup, Notifications, Passkey, SecondFactors } from './resources/account.ts'
export type { CompanyAuditEntry } from './resources/team.ts'
export type { ConsoleCompany, ConsoleMe, OneTimeLink, SignedInBrowser } from './resources/session.ts'

export interface ConsoleOptions extends ClientOptions {
  /** The address of the page's own server. Browsers send the cookie to no other. */
  readonly baseUrl: string
}

/** A form of another site cannot send this header, so a request with it comes from our own pages. */
const OWN_PAGE = { 'x-csrf': '1' } as const

export class CardstockConsole {
  readonly session: ConsoleSession
  readonly account: ConsoleAccount
  readonly admin: ProgrammeCalls
  readonly #options: ConsoleOptions

  constructor(options: ConsoleOptions) {
    this.#options = options
    const transport = createTransport(makeSettings(options, OWN_PAGE))
    this.session = new ConsoleSession(transport)
    this.account = new ConsoleAccount(transport)
    this.admin = new ProgrammeCalls(transport)
  }

  /** The calls of a company, in one environment. What they may do follows from the person's role. */
  company(companyId: string, environment: Environment): CompanyCalls {
    const headers = { ...OWN_PAGE, 'cardstock-company': companyId, 'cardstock-environment': environment }
    return new CompanyCalls(createTransport(makeSettings(this.#options, headers)))
  }
}

/** The same calls as those of `Cardstock`. */
export class CompanyCalls {
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
  readonly keys: OwnKeys
  readonly team: Team

  /** @internal */
  constructor(transport: Transport) {
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
    this.keys = new OwnKeys(transport)
    this.team = new Team(transport)
  }
}

/** The same calls as those of `CardstockAdmin`, for people who work for the card programme. */
export class ProgrammeCalls {
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
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
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

  /** The metrics in Prometheus' text format. Not found where they have a port of their own. */
  async metrics(options?: CallOptions): Promise<string> {
    const transport: { stream(...call: unknown[]): Promise<ReadableStream<Uint8Array>> } = this.#transport
    return new Response(await transport.stream('GET /metrics', {}, 'text/plain', options)).text()
  }
}
