// Fills a database with the history of one company: services that were completed one after the other, each with three entries, two
// events and a delivery. The rows are inserted directly, a hundred thousand operations at a time.
import type { Db } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { newId } from '../../../server/src/lib/ids.ts'
import { type Company, seedCompanies } from '../seed.ts'

const CHUNK = 100_000
const ENTRIES_PER_OPERATION = 3
/** So that a day has 9,600 entries, a little less than a statement may have. */
const INTERVAL_MS = 27_000
const AMOUNT = 1000n
const FEE = 50n
/** One operation in so many fails, and one event in so many is of a rare type. */
const RARE = 10_000
/** One operation in so many is a top-up. */
const TOPUP = 100
const CARDS = 1000
const OPERATIONS_PER_SEAL = 333

export interface History {
  readonly company: Company
  readonly scope: { readonly companyId: string; readonly environment: 'sandbox' }
  readonly endpointId: string
  /** When operation number 0 would have been created. */
  readonly start: Date
  /** How many operations there are. */
  operations: number
}

export const timeOf = ({ start }: History, number: number) => new Date(start.getTime() + number * INTERVAL_MS)

/** Like the ids of lib/ids.ts: the time in milliseconds, and a part of its own, here the number of the operation. */
export function idOf(history: History, number: number): string {
  const hex =
    timeOf(history, number).getTime().toString(16).padStart(12, '0') + '70008' + number.toString(16).padStart(15, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The card that operation number 100 and every hundred thousandth after it loads. */
export const FIRST_CARD = '00000000-0000-7000-8000-000000000001'

export async function openHistory(db: Db): Promise<History> {
  // The largest history ends before now, because the measured operations come after it.
  const start = new Date(Date.now() - 3.4e6 * INTERVAL_MS)
  const [company] = (await seedCompanies(db, 1, { funded: true, createdAt: start })) as [Company]
  const endpointId = newId(start)
  const { id, holderId } = company
  await db.run(sql`
    insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
    select ${id}, 'sandbox', ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, ${holderId}, 'prod_card_virtual', 'Card', '0000', 'active', 0, ${start}
    from generate_series(1, ${CARDS}::bigint) i`)
  await db.run(sql`
    insert into webhook_endpoint (company_id, environment, id, url, events, created_at)
    values (${id}, 'sandbox', ${endpointId}, 'https://receiver.example/', array['*'], ${start})`)
  await db.run(sql`
    insert into delivery_queue (company_id, environment, endpoint_id, not_before) values (${id}, 'sandbox', ${endpointId}, ${start})`)
  await db.run(sql`update account set has_endpoints = true where company_id = ${id} and environment = 'sandbox'`)
  return { company, scope: { companyId: id, environment: 'sandbox' }, endpointId, start, operations: 0 }
}

/** Adds operations until the account has about this many entries. */
export async function addHistory(
  db: Db,
  history: History,
  entries: number,
  note: (text: string) => void,
): Promise<void> {
  const wanted = Math.floor(entries / ENTRIES_PER_OPERATION)
  while (history.operations < wanted) {
    const from = history.operations + 1
    const to = Math.min(wanted, history.operations + CHUNK)
    await Promise.all([addOperations(db, history, from, to), addEvents(db, history, from, to)])
    await Promise.all([
      addCardOperations(db, history, from, to),
      addSeals(db, history, from, to),
      addEntries(db, history, from, to),
      addDeliveries(db, history, from, to),
    ])
    history.operations = to
    note(`${(to * ENTRIES_PER_OPERATION).toLocaleString('en')} of ${entries.toLocaleString('en')} entries`)
  }
}

function addOperations(db: Db, { company, start }: History, from: number, to: number) {
  return db.run(sql`
    insert into operation (company_id, environment, id, type, status, amount, fee, product_id, card_id, recipient, receipt, failure_code,
                           idempotency_key, request_digest, created_at, status_at, due_at, claimed_at, event_count)
    select ${company.id}, 'sandbox',
           (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid,
           case when i % ${TOPUP}::bigint = 0 then 'topup' else 'service' end,
           case when i % ${RARE}::bigint = 1 then 'failed' else 'completed' end, ${AMOUNT}::bigint, ${FEE}::bigint, 'prod_service_esim',
           case when i % ${TOPUP}::bigint = 0
             then ('00000000-0000-7000-8000-' || lpad(to_hex(1 + (i / ${TOPUP}::bigint - 1) % ${CARDS}::bigint), 12, '0'))::uuid end,
           case when i % ${TOPUP}::bigint <> 0 then 'ada@example.com' end,
           'rcpt_' || i, case when i % ${RARE}::bigint = 1 then 'declined' end, md5(i::text), '\\x00', t.at, t.at, t.at, t.at, 3
    from generate_series(${from}::bigint, ${to}::bigint) i,
         lateral (select ${start}::timestamptz + i * ${INTERVAL_MS}::bigint * interval '1 ms' as at) t`)
}

function addCardOperations(db: Db, { company, start }: History, from: number, to: number) {
  return db.run(sql`
    insert into card_operation (company_id, environment, card_id, id)
    select ${company.id}, 'sandbox',
           ('00000000-0000-7000-8000-' || lpad(to_hex(1 + (i / ${TOPUP}::bigint - 1) % ${CARDS}::bigint), 12, '0'))::uuid,
           (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid
    from generate_series(${Math.ceil(from / TOPUP) * TOPUP}::bigint, ${to}::bigint, ${TOPUP}::bigint) i`)
}

function addEvents(db: Db, { company, start }: History, from: number, to: number) {
  return db.run(sql`
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select ${company.id}, 'sandbox',
           (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint + n), 12, '0') || '7' || lpad(to_hex(n), 3, '0') || '8' || lpad(to_hex(i), 15, '0'))::uuid,
           case n when 1 then 'operation.processing' when 2 then 'operation.completed' else 'invoice.expired' end,
           (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid,
           n + 1, case when n = 3 then '{}'::jsonb end, t.at
    from generate_series(${from}::bigint, ${to}::bigint) i, generate_series(1, case when i % ${RARE}::bigint = 1 then 3 else 2 end) n,
         lateral (select ${start}::timestamptz + (i * ${INTERVAL_MS}::bigint + n) * interval '1 ms' as at) t`)
}

function addEntries(db: Db, { company, start }: History, from: number, to: number) {
  const total = AMOUNT + FEE
  return db.run(sql`
    with account_before as (
      update account set available = available - ${BigInt(to - from + 1) * total}::bigint, sequence = sequence + ${(to - from + 1) * ENTRIES_PER_OPERATION},
        last_entry_at = ${start}::timestamptz + ${to}::bigint * ${INTERVAL_MS}::bigint * interval '1 ms'
      where company_id = ${company.id} and environment = 'sandbox'
      returning available + ${BigInt(to - from + 1) * total}::bigint as balance
    )
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    select ${company.id}, 'sandbox', 1 + (i - 1) * 3 + k.step, k.kind,
           (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid,
           k.available, k.held, b.balance - (i - ${from}::bigint) * ${total}::bigint - k.spent, k.still_held,
           ${start}::timestamptz + i * ${INTERVAL_MS}::bigint * interval '1 ms'
    from account_before b, generate_series(${from}::bigint, ${to}::bigint) i,
         (values (1, 'reservation', -${total}::bigint, ${total}::bigint, 0::bigint, ${total}::bigint),
                 (2, 'capture', 0, -${AMOUNT}::bigint, ${AMOUNT}::bigint, ${FEE}::bigint),
                 (3, 'fee', 0, -${FEE}::bigint, ${total}::bigint, 0)) k (step, kind, available, held, spent, still_held)`)
}

/** As many as the server makes under load. Their hashes are not those of the entries, but cost a statement the same. */
function addSeals(db: Db, { company, start }: History, from: number, to: number) {
  return db.run(sql`
    insert into seal (company_id, environment, number, hash, sealed_at)
    select ${company.id}, 'sandbox', i * ${ENTRIES_PER_OPERATION}::bigint, sha256(i::text::bytea),
           ${start}::timestamptz + i * ${INTERVAL_MS}::bigint * interval '1 ms'
    from generate_series(${from}::bigint, ${to}::bigint) i where i % ${OPERATIONS_PER_SEAL}::bigint = 0`)
}

function addDeliveries(db: Db, { company, endpointId, start }: History, from: number, to: number) {
  return db.run(sql`
    with made as (
      insert into delivery (company_id, environment, event_id, endpoint_id, status, attempt_count, due_at)
      select ${company.id}, 'sandbox',
             (lpad(to_hex(${start.getTime()}::bigint + i * ${INTERVAL_MS}::bigint + 2), 12, '0') || '70028' || lpad(to_hex(i), 15, '0'))::uuid,
             ${endpointId}, 'delivered', 1, ${start}::timestamptz + i * ${INTERVAL_MS}::bigint * interval '1 ms'
      from generate_series(${from}::bigint, ${to}::bigint) i
      returning company_id, environment, event_id, endpoint_id, due_at
    )
    insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, status_code, latency_ms, response, started_at)
    select company_id, environment, event_id, event_id, endpoint_id, 1, 200, 12, 'ok', due_at from made`)
}
