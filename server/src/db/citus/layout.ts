// Where each table and function of the schema is kept when Citus distributes the database.

/**
 * company: in shards by company_id, the tables of one company together on one node. coordinator: there, and Citus knows the table, so
 * that functions on the nodes can read it, and a transaction that writes it and company data commits both or neither. local: on the
 * coordinator, unknown to Citus, never used together with company data. There are no reference tables, a copy on every node:
 * writing one needs every node, so that a node that is down would stop new companies, keys and invoices for all.
 */
export type Place = 'company' | 'coordinator' | 'local'

/** In the order in which they are distributed: a table comes after those that its foreign keys name. */
export const TABLES: Readonly<Record<string, Place>> = {
  company: 'coordinator',
  product: 'coordinator',
  price: 'coordinator',
  // A key is found by its digest, before the company is known.
  api_key: 'coordinator',
  // A link leads to its company without asking every shard.
  pay_link: 'coordinator',
  // All companies share the addresses.
  payment_slot: 'coordinator',
  audit_log: 'coordinator',
  account: 'company',
  holder: 'company',
  erasure: 'company',
  card: 'company',
  card_change: 'company',
  transaction: 'company',
  operation: 'company',
  issuer_request: 'company',
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
  access_version: 'local',
  catalog_version: 'local',
  heartbeat: 'local',
  installation: 'local',
  issuer_event: 'local',
  issuer_minute: 'local',
  mail_notice: 'local',
  membership: 'local',
  one_time_link: 'local',
  operator_token: 'local',
  outgoing_mail: 'local',
  passkey: 'local',
  person: 'local',
  person_session: 'local',
  recovery_code: 'local',
  schema_file: 'local',
  server_minute: 'local',
  totp: 'local',
  used_challenge: 'local',
}

/** The table whose shards all others are placed with. */
export const ANCHOR = 'account'

export interface ForeignKey {
  readonly table: string
  readonly target: string
  readonly name: string
  readonly definition: string
  /** Whether it is added again once the tables are distributed. */
  readonly isKept: boolean
}

const key = (table: string, column: string, target: string, isKept: boolean): ForeignKey => ({
  table,
  target,
  name: `${table}_${column}_fkey`,
  definition: `foreign key (${column}) references ${target} (id)`,
  isKept,
})

/**
 * The foreign keys of or to tables of the coordinator. Citus accepts such a table only without them, so they are dropped before.
 * Not added again: keys between the coordinator and the shards, which Citus cannot check, and those of local tables. No
 * statement deletes a company.
 */
export const COORDINATOR_KEYS: readonly ForeignKey[] = [
  key('account', 'company_id', 'company', false),
  key('holder', 'company_id', 'company', false),
  key('price', 'company_id', 'company', true),
  key('price', 'product_id', 'product', true),
  key('api_key', 'company_id', 'company', true),
  key('membership', 'company_id', 'company', false),
  key('one_time_link', 'company_id', 'company', false),
]

/** The triggers that may be on distributed tables: they only raise. sql/citus/triggers.sql has another text of one of them. */
export const SAFE_TRIGGER_FUNCTIONS = [
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
  'entry_subjects',
  'prune_events',
  'prune_exchanges',
  'seal_entries',
  'settle_operations',
]

/** The functions that statements on the node of a company call. They only read, and only what is of the same company. */
export const NESTED_FUNCTIONS = [
  'entry_range',
  'first_entry_at',
  'list_event_ids_after',
  'list_event_ids_by_type',
  'list_numbers_by_kind',
]
