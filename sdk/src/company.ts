// A company's own calls, /api/v1, with its API key. The key decides the company and the environment.
import type { NewSandboxTransaction, Statement, StatementRange, Transaction, TransactionFilter } from './books.ts'
import type { Client } from './client.ts'
import { createList, type List } from './list.ts'
import { path } from './path.ts'
import type { Balance, NewOperation, Operation, OperationFilter, Quote } from './operations.ts'
import type { Card, CardFilter, Holder, HolderFilter, NewHolder, Product } from './types.ts'
import { events, webhookEndpoints } from './webhook-api.ts'

export type CompanyApi = ReturnType<typeof createCompanyApi>

/** Without a limit the server answers the whole list at once; pages of this size bound memory on both sides. */
const PAGE_LIMIT = 100

export function createCompanyApi(client: Client) {
  return {
    products: {
      list: (): List<Product> => createList(client, '/api/v1/products', {}),
    },
    operations: operations(client),
    balance: { get: () => client.request<Balance>('GET', '/api/v1/balance') },
    sandbox: {
      fund: (amount: string, options: { idempotencyKey?: string } = {}) =>
        client.request<Record<string, never>>('POST', '/api/v1/sandbox/funding', {
          body: { amount },
          idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
        }),
      pay: (transaction: NewSandboxTransaction) =>
        client.request<Transaction>('POST', '/api/v1/sandbox/transactions', { body: transaction }),
      changePayment: (id: string, status: 'settled' | 'reversed' | 'expired') =>
        client.request<Transaction>('POST', path`/api/v1/sandbox/transactions/${id}/status`, { body: { status } }),
      resolveReview: (id: string, outcome: 'completed' | 'failed') =>
        client.request<Operation>('POST', path`/api/v1/sandbox/reviews/${id}/resolve`, { body: { outcome } }),
    },
    holders: holders(client),
    webhookEndpoints: webhookEndpoints(client),
    events: events(client),
    cards: cards(client),
    transactions: {
      list: (filter: TransactionFilter = {}): List<Transaction> => createList(client, '/api/v1/transactions', filter),
      get: (id: string) => client.request<Transaction>('GET', path`/api/v1/transactions/${id}`),
    },
    statements: {
      get: (range: StatementRange) => client.request<Statement>('GET', STATEMENTS, { query: { ...range } }),
      /** The bytes of a file. */
      download: (range: StatementRange, format: keyof typeof MEDIA_TYPES) =>
        client.download(STATEMENTS, { query: { ...range }, accept: MEDIA_TYPES[format] }),
    },
  }
}

const STATEMENTS = '/api/v1/account-statements'
const MEDIA_TYPES = { json: 'application/json', csv: 'text/csv', pdf: 'application/pdf' } as const

/** The answer has `pendingStatus` when the issuer's is not known yet; the card is then as it was. */
function cards(client: Client) {
  return {
    list: (filter: CardFilter = {}): List<Card> =>
      createList(client, '/api/v1/cards', { limit: PAGE_LIMIT, ...filter }),
    get: (id: string) => client.request<Card>('GET', path`/api/v1/cards/${id}`),
    freeze: (id: string) => client.request<Card>('POST', path`/api/v1/cards/${id}/freeze`),
    unfreeze: (id: string) => client.request<Card>('POST', path`/api/v1/cards/${id}/unfreeze`),
    close: (id: string) => client.request<Card>('POST', path`/api/v1/cards/${id}/close`),
  }
}

function operations(client: Client) {
  return {
    /** A key made here is in the error's `idempotencyKey`; repeat with it when the answer was lost. */
    create: (operation: NewOperation, options: { idempotencyKey?: string } = {}) =>
      client.request<Operation>('POST', '/api/v1/operations', {
        body: operation,
        idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      }),
    quote: (operation: NewOperation) => client.request<Quote>('POST', '/api/v1/quotes', { body: operation }),
    list: (filter: OperationFilter = {}): List<Operation> => createList(client, '/api/v1/operations', filter),
    get: (id: string) => client.request<Operation>('GET', path`/api/v1/operations/${id}`),
  }
}

function holders(client: Client) {
  return {
    list: (filter: HolderFilter = {}): List<Holder> =>
      createList(client, '/api/v1/holders', { limit: PAGE_LIMIT, ...filter }),
    get: (id: string) => client.request<Holder>('GET', path`/api/v1/holders/${id}`),
    /** A key made here is in the error's `idempotencyKey`; repeat with it when the answer was lost. */
    create: (holder: NewHolder, options: { idempotencyKey?: string } = {}) =>
      client.request<Holder>('POST', '/api/v1/holders', {
        body: holder,
        idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
      }),
  }
}
