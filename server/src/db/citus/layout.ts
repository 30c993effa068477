// Where each table and function of the schema is kept when Citus distributes the database.

/**
 * company: in shards by company_id, the tables of one company together on one node. reference: a copy on every node, for small
 * tables that are read with company data or found without a company. coordinator: only there.
 */
export type Place = 'company' | 'reference' | 'coordinator'

/** In the order in which they are distributed: a table comes after those that its foreign keys name. */
export const TABLES: Readonly<Record<string, Place>> = {
  company: 'reference',
  product: 'reference',
  price: 'reference',
  // A key is found by its digest, before the company is known.
  api_key: 'reference',
  // A link leads to its company without asking every shard.
  pay_link: 'reference',
  // All companies share the addresses.
  payment_slot: 'reference',
  account: 'company',
  holder: 'company',
  erasure: 'company',
  card: 'company',
  card_change: 'company',
  transaction: 'company',
  operation: 'company',
  open_operation: 'company',
  card_operation: 'company',
  exchange: 'company',
  entry: 'company',
  seal: 'company',
  entry_archive: 'company',
  deposit: 'company',
  invoice: 'company',
  invoice_payment: 'company',
  payment_review: 'company',
  event: 'company',
  event_counter: 'company',
  webhook_endpoint: 'company',
  delivery_queue: 'company',
  webhook_secret: 'company',
  webhook_attempt: 'company',
  delivery: 'company',
  request_log: 'company',
  sandbox_effect: 'company',
  access_version: 'coordinator',
  audit_log: 'coordinator',
  catalog_version: 'coordinator',
  heartbeat: 'coordinator',
  installation: 'coordinator',
  issuer_event: 'coordinator',
  membership: 'coordinator',
  one_time_link: 'coordinator',
  operator_token: 'coordinator',
  passkey: 'coordinator',
  person: 'coordinator',
  person_session: 'coordinator',
  recovery_code: 'coordinator',
  schema_file: 'coordinator',
  totp: 'coordinator',
  used_challenge: 'coordinator',
}

/** The table whose shards all others are placed with. */
export const ANCHOR = 'account'

export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
  /** Whether it is added again once the tables are distributed. */
  readonly isKept: boolean
}

const key = (table: string, column: string, target: string, isKept: boolean): ForeignKey => ({
  table,
  name: `${table}_${column}_fkey`,
  definition: `foreign key (${column}) references ${target} (id)`,
  isKept,
})

/**
 * The foreign keys to reference tables. Citus would turn every local table with such a key into a table of its own kind, so they
 * are dropped before. Not added again: the one of api_key, because creating two keys at once deadlocked on the reference table
 * (72 times in one run of the tests), and those of tables that only the coordinator has. No statement deletes a company.
 */
export const REFERENCE_KEYS: readonly ForeignKey[] = [
  key('account', 'company_id', 'company', true),
  key('holder', 'company_id', 'company', true),
  key('price', 'company_id', 'company', true),
  key('price', 'product_id', 'product', true),
  key('api_key', 'company_id', 'company', false),
  key('membership', 'company_id', 'company', false),
  key('one_time_link', 'company_id', 'company', false),
]

/** The triggers that may be on distributed tables: they only raise, or write on the coordinator only (sql/citus/triggers.sql). */
export const SAFE_TRIGGER_FUNCTIONS = [
  'bump_access_version',
  'bump_catalog_version',
  'check_exchange_removal',
  'check_invoice_transition',
  'refuse_change',
  'refuse_former_queue',
  'refuse_change_unless_erasing',
  'refuse_removal',
  'refuse_unless_archived',
]

/**
 * The functions that run on the node of their company, in one round trip. Others run on the coordinator, which sends each of
 * their statements to the node; they are rarely called, or write tables of the coordinator.
 */
export const DELEGATED_FUNCTIONS = [
  'accept_operation',
  'accept_operations',
  'account_statement',
  'audit_account',
  'balance_history',
  'deposit_funds',
  'prune_events',
  'prune_exchanges',
  'seal_entries',
  'settle_operations',
  'statement_labels',
]
