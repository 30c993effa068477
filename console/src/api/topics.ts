// The first word of a query's key, by which a change refreshes everything that may show it.

export type Topic =
  | 'balance'
  | 'cards'
  | 'events'
  | 'holders'
  | 'invoices'
  | 'keys'
  | 'operations'
  | 'people'
  | 'products'
  | 'request-logs'
  | 'statements'
  | 'transactions'
  | 'webhook-endpoints'
