// Reads everything that the judge looks at in one read-only transaction, so that it can judge while the server runs.
import pg from 'pg'
import type { Environment } from '../../../src/lib/scope.ts'
import { type Connection, toClientConfig } from '../../../src/db/pool.ts'

interface Scoped {
  company_id: string
  environment: Environment
}
export interface AccountRow extends Scoped {
  available: bigint
  held: bigint
  sequence: bigint
  issued_month: string
  issued_count: number
  kind: 'individual' | 'corporate'
}
export interface EntryRow extends Scoped {
  number: bigint
  kind: 'deposit' | 'fee' | 'reservation' | 'capture' | 'release' | 'adjustment'
  reference: string
  reference_type: string
  available_delta: bigint
  held_delta: bigint
  balance: bigint
  held: bigint
  created_at: Date
}
export interface SealRow extends Scoped {
  number: bigint
  hash: Buffer
}
export interface OperationRow extends Scoped {
  id: string
  type: 'issue' | 'topup' | 'service'
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'manual_review'
  amount: bigint
  fee: bigint
  holder_id: string | null
  card_id: string | null
  receipt: string | null
  failure_code: string | null
  idempotency_key: string
  created_at: Date
  status_at: Date
  claimed_at: Date | null
  unsent_count: number
  look_up_count: number
  event_count: number
}
export interface InvoiceRow extends Scoped {
  id: string
  status: 'creating' | 'pending' | 'completed' | 'expired' | 'failed' | 'manual_review'
  requested: bigint
  deposit: bigint
  fee: bigint
  pay_amount: bigint | null
  reasons: string[]
  reopened: boolean
  idempotency_key: string
  failure_code: string | null
  created_at: Date
  status_at: Date
}
export interface PaymentRow extends Scoped {
  payment_key: string
  invoice_id: string
  amount: bigint
}
export interface DepositRow extends Scoped {
  id: string
  amount: bigint
  fee: bigint
  source: 'fund' | 'inv' | 'rev'
  idempotency_key: string | null
}
export interface CardRow extends Scoped {
  id: string
  holder_id: string
  status: string
  balance: bigint
}
export interface ChangeRow extends Scoped {
  id: string
  card_id: string
  status: string
  created_at: Date
  status_at: Date
}
export interface EventRow extends Scoped {
  id: string
  type: string
  object_id: string
  sequence: number
  created_at: Date
}
export interface ExchangeRow extends Scoped {
  object_id: string
  purpose: 'request' | 'look_up'
  outcome: 'confirmed' | 'declined' | 'not_sent' | 'absent' | 'unknown'
  started_at: Date
}
export interface AuditRow {
  company_id: string | null
  actor: string
  action: string
  object: string | null
}
export interface EndpointRow extends Scoped {
  id: string
  events: string[]
  status: 'enabled' | 'disabled'
  created_at: Date
}
export interface DeliveryRow extends Scoped {
  event_id: string
  endpoint_id: string
  status: 'pending' | 'delivered' | 'failed'
  attempt_count: number
  resend_count: number
}
export interface EffectRow {
  company_id: string
  token: string
  kind: string
  amount: bigint | null
}

export interface Snapshot {
  readonly accounts: AccountRow[]
  readonly entries: EntryRow[]
  readonly seals: SealRow[]
  readonly operations: OperationRow[]
  readonly invoices: InvoiceRow[]
  readonly payments: PaymentRow[]
  readonly deposits: DepositRow[]
  readonly cards: CardRow[]
  readonly holders: (Scoped & { id: string })[]
  readonly changes: ChangeRow[]
  readonly events: EventRow[]
  readonly exchanges: ExchangeRow[]
  readonly audit: AuditRow[]
  readonly endpoints: EndpointRow[]
  readonly deliveries: DeliveryRow[]
  readonly sandboxEffects: EffectRow[]
}

const QUERIES: Readonly<Record<keyof Snapshot, string>> = {
  accounts: `select a.company_id, a.environment, a.available, a.held, a.sequence, to_char(a.issued_month, 'YYYY-MM') as issued_month,
               a.issued_count, c.kind from account a join company c on c.id = a.company_id order by 1, 2`,
  entries: `select company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held,
              created_at from entry order by company_id, environment, number`,
  seals: 'select company_id, environment, number, hash from seal order by company_id, environment, number',
  operations: `select company_id, environment, id, type, status, amount, fee, holder_id, card_id, receipt, failure_code, idempotency_key,
                 created_at, status_at, claimed_at, unsent_count, look_up_count, event_count from operation order by id`,
  invoices: `select company_id, environment, id, status, requested, deposit, fee, pay_amount, reasons, reopened, idempotency_key,
               failure_code, created_at, status_at from invoice order by id`,
  payments:
    'select company_id, environment, payment_key, invoice_id, amount from invoice_payment order by recorded_at, payment_key',
  deposits: `select company_id, environment, id, amount, 0::bigint as fee, 'fund' as source, idempotency_key from deposit
             union all select company_id, environment, id, deposit, fee, 'inv', null from invoice where status = 'completed'
             union all select company_id, environment, id, deposit, fee, 'rev', null from payment_review where status = 'completed'`,
  cards: 'select company_id, environment, id, holder_id, status, balance from card order by id',
  holders: 'select company_id, environment, id from holder',
  changes: 'select company_id, environment, id, card_id, status, created_at, status_at from card_change order by id',
  events: 'select company_id, environment, id, type, object_id, sequence, created_at from event_log order by id',
  exchanges: 'select company_id, environment, object_id, purpose, outcome, started_at from exchange order by id',
  audit: 'select company_id, actor, action, object from audit_log order by id',
  endpoints: 'select company_id, environment, id, events, status, created_at from webhook_endpoint',
  deliveries: `select company_id, environment, event_id, endpoint_id, status, attempt_count, resend_count from delivery
               order by event_id, endpoint_id`,
  sandboxEffects: 'select company_id, token, kind, amount from sandbox_effect order by token',
}

/** Reads in the transaction that the client is in. The client must return bigint for int8, as `toClientConfig` makes it do. */
export async function readRows(client: pg.ClientBase): Promise<Snapshot> {
  const rows: Record<string, unknown[]> = {}
  for (const [name, text] of Object.entries(QUERIES)) rows[name] = (await client.query(text)).rows
  return rows as unknown as Snapshot
}

export async function readSnapshot(client: pg.ClientBase): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only')
  try {
    return await readRows(client)
  } finally {
    await client.query('commit')
  }
}

/** Opens a connection for one snapshot. */
export async function readSnapshotOf(connection: Connection): Promise<Snapshot> {
  const client = new pg.Client(toClientConfig(connection))
  await client.connect()
  try {
    return await readSnapshot(client)
  } finally {
    await client.end()
  }
}
