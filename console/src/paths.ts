// Every URL of the console is made here. The server reads PATTERNS (through the build) and answers these paths with the
// console; every other unknown path is answered with the 404 of the API. Nothing else in the console may write a path.

/** In front of the path of a page of a company: `/c/<company>/<environment>`. */
export const PLACE_PREFIX = '/c'

/** The paths of all pages. `$id` stands for one segment. Every group of pages has a block. */
export const PATTERNS = {
  signIn: '/sign-in',

  // Your account
  myAccount: '/my-account',

  // Overview
  overview: '/',

  // Card account
  account: '/account',

  // Fund
  fund: '/fund',
  invoice: '/fund/$id',

  // Cards
  cards: '/cards',
  issueCard: '/cards/issue',
  bulkCards: '/cards/bulk',
  card: '/cards/$id',
  topUpCard: '/cards/$id/top-up',

  // Holders
  holders: '/holders',
  addHolder: '/holders/add',
  holder: '/holders/$id',

  // Services
  services: '/services',
  orderService: '/services/$id',

  // Operations
  operations: '/operations',
  operation: '/operations/$id',

  // Transactions
  transactions: '/transactions',
  transaction: '/transactions/$id',

  // Spend
  spend: '/spend',

  // Developers
  keys: '/developers/keys',
  webhooks: '/developers/webhooks',
  webhook: '/developers/webhooks/$id',
  events: '/developers/events',
  event: '/developers/events/$id',
  requestLog: '/developers/logs',

  // Team
  team: '/team',
  companyAuditLog: '/team/audit-log',

  // Operator
  programme: '/operator',
  reviews: '/operator/reviews',
  review: '/operator/reviews/$id',
  companies: '/operator/companies',
  company: '/operator/companies/$id',
  catalogue: '/operator/catalogue',
  product: '/operator/catalogue/$id',
  ledger: '/operator/ledger',
  seals: '/operator/ledger/seals',
  issuer: '/operator/issuer',
  health: '/operator/health',
  auditLog: '/operator/audit-log',
  programmePeople: '/operator/people',
} as const

export type Pattern = (typeof PATTERNS)[keyof typeof PATTERNS]

/** Parameters behind the question mark. Undefined and empty values are left out. */
export type Search = Readonly<Record<string, string | undefined>>

function fill(pattern: Pattern, id = '', search: Search = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value !== undefined && value !== '') query.set(name, value)
  const text = query.toString()
  return pattern.replace('$id', () => encodeURIComponent(id)) + (text === '' ? '' : `?${text}`)
}

const list = (pattern: Pattern) => (search?: Search) => fill(pattern, '', search)
const one = (pattern: Pattern) => (id: string) => fill(pattern, id)

export const paths = {
  signIn: list(PATTERNS.signIn),

  // Your account
  myAccount: list(PATTERNS.myAccount),

  // Overview
  overview: list(PATTERNS.overview),

  // Card account
  account: list(PATTERNS.account),

  // Fund
  fund: list(PATTERNS.fund),
  invoice: one(PATTERNS.invoice),

  // Cards
  cards: list(PATTERNS.cards),
  issueCard: list(PATTERNS.issueCard),
  bulkCards: list(PATTERNS.bulkCards),
  card: one(PATTERNS.card),
  topUpCard: one(PATTERNS.topUpCard),

  // Holders
  holders: list(PATTERNS.holders),
  addHolder: list(PATTERNS.addHolder),
  holder: one(PATTERNS.holder),

  // Services
  services: list(PATTERNS.services),
  orderService: one(PATTERNS.orderService),

  // Operations
  operations: list(PATTERNS.operations),
  operation: one(PATTERNS.operation),

  // Transactions
  transactions: list(PATTERNS.transactions),
  transaction: one(PATTERNS.transaction),

  // Spend
  spend: list(PATTERNS.spend),

  // Developers
  keys: list(PATTERNS.keys),
  webhooks: list(PATTERNS.webhooks),
  webhook: one(PATTERNS.webhook),
  events: list(PATTERNS.events),
  event: one(PATTERNS.event),
  requestLog: list(PATTERNS.requestLog),

  // Team
  team: list(PATTERNS.team),
  companyAuditLog: list(PATTERNS.companyAuditLog),

  // Operator
  programme: list(PATTERNS.programme),
  reviews: list(PATTERNS.reviews),
  review: one(PATTERNS.review),
  companies: list(PATTERNS.companies),
  company: one(PATTERNS.company),
  catalogue: list(PATTERNS.catalogue),
  product: one(PATTERNS.product),
  ledger: list(PATTERNS.ledger),
  seals: list(PATTERNS.seals),
  issuer: list(PATTERNS.issuer),
  health: list(PATTERNS.health),
  auditLog: list(PATTERNS.auditLog),
  programmePeople: list(PATTERNS.programmePeople),
}

/** Pages of the server outside the console. They open as documents. */
export const outside = { reference: '/docs' } as const

/** Returns the page of an object by the prefix of its id, or undefined when no page shows such objects. */
export function findObjectPath(id: string): string | undefined {
  return findPath(OBJECT_PAGES, id)
}

/** Returns the page where an operator finds an object, or undefined when the programme has none. */
export function findProgrammePath(id: string): string | undefined {
  return findPath(PROGRAMME_PAGES, id)
}

type ObjectPages = readonly (readonly [prefix: string, path: (id: string) => string])[]

function findPath(pages: ObjectPages, id: string): string | undefined {
  const prefix = /^([a-z]+)_[0-9A-Za-z-]+$/.exec(id)?.[1]
  const path = pages.find(([known]) => known === prefix)?.[1]
  return path?.(id)
}

/** A group that shows objects of its own adds a line here, so that the palette and every id can lead to them. */
const OBJECT_PAGES: ObjectPages = [
  ['card', paths.card],
  ['op', paths.operation],
  ['inv', paths.invoice],
  ['hld', paths.holder],
  ['txn', paths.transaction],
  ['we', paths.webhook],
  ['evt', paths.event],
]

/** An operation or an invoice has a review of the same id while its outcome is not known. */
const PROGRAMME_PAGES: ObjectPages = [
  ['co', paths.company],
  ['op', paths.review],
  ['inv', paths.review],
]
