// Events on the wire. An event is the same byte for byte, whenever and to whomever it is sent.
import { formatId } from '../lib/ids.ts'
import type { Environment } from '../lib/scope.ts'
import { EVENT_VERSION, type EventType } from './catalogue.ts'

export interface EventRow {
  company_id: string
  environment: Environment
  id: string
  type: EventType
  object_id: string
  sequence: number
  /** Null for operations, whose columns come with the row instead. */
  data: Record<string, unknown> | null
  created_at: Date
  operation_type: OperationThen['type'] | null
  amount: bigint | null
  fee: bigint | null
  card_id: string | null
  receipt: string | null
  failure_code: string | null
  failure_message: string | null
  operation_created_at: Date | null
}

/** An operation as it was when it took its status. */
export interface OperationThen {
  id: string
  type: 'issue' | 'topup' | 'service'
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'manual_review'
  amount: bigint
  fee: bigint
  card_id: string | null
  receipt: string | null
  failure_code: string | null
  failure_message: string | null
  created_at: Date
}

/** Formats an operation as the API does. Passed in, because operations depend on events and not the reverse. */
export type ShowOperation = (operation: OperationThen) => object

export interface Envelope {
  id: string
  type: EventType
  createdAt: string
  environment: Environment
  companyId: string
  version: string
  sequence: number
  data: object
}

export function toEnvelope(row: EventRow, showOperation: ShowOperation): Envelope {
  return {
    id: formatId('evt', row.id),
    type: row.type,
    createdAt: row.created_at.toISOString(),
    environment: row.environment,
    companyId: formatId('co', row.company_id),
    version: EVENT_VERSION,
    sequence: row.sequence,
    data: row.data ?? showOperation(operationThen(row)),
  }
}

/** Derives the operation at that time from its columns and its status then. Only the two final statuses add fields. */
function operationThen(row: EventRow): OperationThen {
  const status = row.type.slice('operation.'.length) as OperationThen['status']
  const { operation_type: type, amount, fee, operation_created_at: createdAt } = row
  if (type === null || amount === null || fee === null || createdAt === null) {
    throw new Error(`the operation of event ${row.id} is missing`)
  }
  const hasFailed = status === 'failed'
  return {
    id: row.object_id,
    type,
    status,
    amount,
    fee,
    card_id: row.card_id,
    receipt: row.receipt,
    failure_code: hasFailed ? row.failure_code : null,
    failure_message: hasFailed ? row.failure_message : null,
    created_at: createdAt,
  }
}
