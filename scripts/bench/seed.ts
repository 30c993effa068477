// Inserts companies with keys, holders and money, and backlogs of any size. The rows must be as consistent as
// the server's own, because the run ends with the ledger audit.
import { PERMISSIONS } from '../../server/src/access/permissions.ts'
import { makeToken, tokenEnds } from '../../server/src/access/tokens.ts'
import { sql } from '../../server/src/db/sql.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { deriveKey, keyedDigest } from '../../server/src/lib/digest.ts'
import { formatId, newId } from '../../server/src/lib/ids.ts'
import type { Environment } from '../../server/src/lib/scope.ts'
import { KEY_SLOT, SECRET_KEY_HEX } from './wire.ts'

export interface Company {
  readonly id: string
  readonly key: string
  readonly holderId: string
}

/** Enough for all operations of a run. */
const DEPOSIT_CENTS = 1_000_000_000_000n
/** Every request asks for the smallest card, whose fee is 3 USD and 0.2 %. */
export const AMOUNT_CENTS = 1000n
export const FEE_CENTS = 302n
const PRODUCT = 'prod_card_virtual'
/** Rows per statement. Each takes a few seconds, so that progress shows and Ctrl-C works. */
const BACKLOG_CHUNK = 100_000

export async function seedCompanies(
  db: Db,
  count: number,
  {
    funded,
    createdAt: now = new Date(),
    environment = 'sandbox',
  }: { funded: boolean; createdAt?: Date; environment?: Environment },
): Promise<Company[]> {
  const digestKey = deriveKey(Buffer.from(SECRET_KEY_HEX, 'hex'), 'tokens')
  const companies = Array.from({ length: count }, () => ({
    id: newId(now),
    key: makeToken(environment),
    holderId: newId(now),
  }))
  const ids = companies.map((company) => company.id)
  await db.run(sql`
    insert into company (id, name, kind, verification, live_services, created_at)
    select id, 'Bench', 'corporate', 'approved', ${environment === 'live'}, ${now} from unnest(${ids}::uuid[]) as c (id)`)
  await db.run(sql`
    insert into account (company_id, environment, last_entry_at)
    select id, e.environment, ${now} from unnest(${ids}::uuid[]) as c (id), unnest(enum_range(null::environment)) as e (environment)`)
  await db.run(sql`
    insert into holder (company_id, environment, id, name, email, kind, status, created_at)
    select company_id, ${environment}, id, 'Bench Holder', 'holder@example.com', 'corporate', 'active', ${now}
    from unnest(${ids}::uuid[], ${companies.map((company) => company.holderId)}::uuid[]) as h (company_id, id)`)
  await db.run(sql`
    insert into api_key (company_id, id, environment, name, digest, prefix, last4, scopes, created_at)
    select company_id, id, ${environment}, 'bench', digest, prefix, last4, ${PERMISSIONS}::text[], ${now}
    from unnest(${ids}::uuid[], ${ids.map(() => newId(now))}::uuid[],
      ${companies.map((company) => keyedDigest(digestKey, company.key))}::bytea[],
      ${companies.map((company) => tokenEnds(company.key).prefix)}::text[],
      ${companies.map((company) => tokenEnds(company.key).last4)}::text[]) as k (company_id, id, digest, prefix, last4)`)
  if (funded) {
    await db.many(sql`
      select deposit_funds(company_id, ${now}, ${environment}, id, 'bench', '00', ${DEPOSIT_CENTS}, 0, ${DEPOSIT_CENTS})
      from unnest(${ids}::uuid[], ${ids.map(() => newId(now))}::uuid[]) as d (company_id, id)`)
  }
  return companies
}

/**
 * Inserts a company with this many queued operations, one millisecond apart and all in the past, and their
 * reservations. Operations and entries have no foreign keys to each other, so they can be inserted in any order.
 */
export async function seedBacklog(db: Db, count: number, note: (text: string) => void): Promise<Company> {
  const total = AMOUNT_CENTS + FEE_CENTS
  // Entries never go back in time, so the company and its deposit must be older than the first operation.
  const start = new Date(Date.now() - count)
  const [company] = (await seedCompanies(db, 1, { funded: true, createdAt: start })) as [Company]
  for (let from = 1; from <= count; from += BACKLOG_CHUNK) {
    const to = Math.min(count, from + BACKLOG_CHUNK - 1)
    await Promise.all([
      insertOperations(db, company, { start, from, to }),
      insertQueue(db, company, { start, from, to, total }),
      insertReservations(db, company, { start, from, to, total }),
    ])
    note(`backlog ${to.toLocaleString('en')} of ${count.toLocaleString('en')}`)
  }
  const end = new Date(start.getTime() + count)
  await db.run(sql`
    update account set available = available - ${total * BigInt(count)}::bigint, held = held + ${total * BigInt(count)}::bigint,
      sequence = sequence + ${count}, last_entry_at = ${end},
      issued_month = date_trunc('month', ${end}::timestamptz at time zone 'UTC'),
      issued_count = (select count(*) from operation where company_id = ${company.id} and environment = 'sandbox'
        and created_at >= date_trunc('month', ${end}::timestamptz at time zone 'UTC') at time zone 'UTC')
    where company_id = ${company.id} and environment = 'sandbox'`)
  return company
}

interface Stretch {
  start: Date
  from: number
  to: number
}

/** Ids are like those of lib/ids.ts: the time, then a unique part. Idempotency keys have no order, as clients send them. */
function insertOperations(db: Db, { id, holderId }: Company, { start, from, to }: Stretch) {
  return db.run(sql`
    insert into operation (company_id, environment, id, type, status, amount, fee, product_id, holder_id, name, idempotency_key,
                           request_digest, created_at, status_at, due_at)
    select ${id}, 'sandbox', (lpad(to_hex(${start.getTime()}::bigint + i), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid, 'issue', 'queued',
           ${AMOUNT_CENTS}, ${FEE_CENTS}, ${PRODUCT}, ${holderId}, 'Bench', md5(i::text), '\\x00', t.at, t.at, t.at
    from generate_series(${from}::bigint, ${to}::bigint) as i, lateral (select ${start}::timestamptz + i * interval '1 ms' as at) t`)
}

function insertQueue(db: Db, { id }: Company, { start, from, to, total }: Stretch & { total: bigint }) {
  return db.run(sql`
    insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
    select ${id}, 'sandbox', (lpad(to_hex(${start.getTime()}::bigint + i), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid, 'issue', 'queued',
           ${start}::timestamptz + i * interval '1 ms', ${total}::bigint
    from generate_series(${from}::bigint, ${to}::bigint) as i`)
}

function insertReservations(db: Db, { id }: Company, { start, from, to, total }: Stretch & { total: bigint }) {
  return db.run(sql`
    insert into entry (company_id, environment, number, kind, reference, available_delta, held_delta, balance, held, created_at)
    select ${id}, 'sandbox', i + 1, 'reservation',
           (lpad(to_hex(${start.getTime()}::bigint + i), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid,
           -${total}::bigint, ${total}, ${DEPOSIT_CENTS}, i * ${total}::bigint, ${start}::timestamptz + i * interval '1 ms'
    from generate_series(${from}::bigint, ${to}::bigint) as i`)
}

/** Returns the text of a POST /operations for a card of 10 USD. The load generator fills in the idempotency key. */
export function issueRequest({ key, holderId }: Company): string {
  const body = JSON.stringify({
    type: 'issue',
    productId: PRODUCT,
    holderId: formatId('hld', holderId),
    amount: '10.00',
  })
  return [
    'POST /api/v1/operations HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${KEY_SLOT}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
