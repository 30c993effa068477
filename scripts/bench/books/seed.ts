// Inserts companies with a long history: any number of entries, cards and card payments. The rows of a page have the same
// length in a short and a long list, because a longer page would look like a slower list.
import type { Db } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import type { Company } from '../seed.ts'

/** The day of the first entry. A day has as many entries as a statement may have. */
export const FIRST_DAY = new Date('2025-01-01T00:00:00Z')
export const ENTRIES_PER_DAY = 10_000
const ENTRY_INTERVAL_MS = 8_640
/** Not a divisor of a day's entries, so statements begin and end between two seals, as they usually do. */
const ENTRIES_PER_SEAL = 499

/** Inserts entries in fours: a deposit, and an operation that spends it. */
export async function seedEntries(db: Db, { id }: Company, count: number): Promise<void> {
  await db.run(sql`
    insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
    select ${id}, 'sandbox', n, k.kind,
           (lpad(to_hex(${FIRST_DAY.getTime()}::bigint + (k.first - 1) * ${ENTRY_INTERVAL_MS}), 12, '0') || '7' || lpad(to_hex(k.first), 19, '0'))::uuid,
           case k.kind when 'deposit' then 'fund' else 'op' end::reference_type,
           k.available_delta, k.held_delta, k.balance, k.held, ${FIRST_DAY}::timestamptz + (n - 1) * ${ENTRY_INTERVAL_MS} * interval '1 ms'
    from generate_series(1, ${count}::bigint) as n,
         lateral (select ((n - 1) % 4)::integer as step) as s,
         lateral (select n - greatest(s.step - 1, 0) as first,
                    (array['deposit', 'reservation', 'capture', 'fee'])[s.step + 1] as kind,
                    (array[1234567, -1234567, 0, 0])[s.step + 1] as available_delta,
                    (array[0, 1234567, -1232100, -2467])[s.step + 1] as held_delta,
                    (array[1234567, 1234567, 2467, 0])[s.step + 1] as balance,
                    (array[0, 1234567, 2467, 0])[s.step + 1] as held) as k`)
  await db.run(sql`
    insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
    select company_id, environment, reference, available_delta, number::text, '', created_at from entry
    where company_id = ${id} and environment = 'sandbox' and kind = 'deposit'`)
  await db.run(sql`
    update account set sequence = ${count}, last_entry_at = ${FIRST_DAY}::timestamptz + (${count}::bigint - 1) * ${ENTRY_INTERVAL_MS} * interval '1 ms'
    where company_id = ${id} and environment = 'sandbox'`)
  await db.run(sql`
    select seal_entries(${id}, ${FIRST_DAY}, 'sandbox', ${ENTRIES_PER_SEAL})
    from generate_series(1, ${Math.ceil(count / ENTRIES_PER_SEAL)}::integer)`)
}

export async function seedCards(db: Db, { id, holderId }: Company, count: number): Promise<void> {
  await db.run(sql`
    insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
    select ${id}, 'sandbox', (lpad(to_hex(${FIRST_DAY.getTime()}::bigint + n * 20), 12, '0') || '7' || lpad(to_hex(n), 19, '0'))::uuid,
           ${holderId}, 'prod_card_virtual', 'Card ' || lpad((n % 10000)::text, 4, '0'), lpad((n % 10000)::text, 4, '0'),
           case when n % 100 = 0 then 'frozen' else 'active' end, 100000 + n % 10000, ${FIRST_DAY}::timestamptz + n * interval '20 ms'
    from generate_series(1, ${count}::bigint) as n`)
}

/** Inserts payments out of order, so that neighbours in the list are far apart in the table. */
export async function seedTransactions(db: Db, { id }: Company, count: number): Promise<void> {
  await db.run(sql`
    insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                             merchant, country, description, occurred_at, created_at, updated_at)
    select ${id}, 'sandbox', (lpad(to_hex(${FIRST_DAY.getTime()}::bigint + n * 20), 12, '0') || '7' || lpad(to_hex(n), 19, '0'))::uuid, c.id,
           lpad(n::text, 7, '0'), case when n % 50 = 0 then 'refund' else 'purchase' end, 'settled', -100000 - n % 10000, 'USD',
           -100000 - n % 10000, 0, 'Merchant', 'DE', 'Bench', ${FIRST_DAY}::timestamptz + (n * 7919 % ${count}) * interval '20 ms', now(), now()
    from generate_series(1, ${count}::bigint) as n
    join (select id, row_number() over (order by id) as r from card where company_id = ${id} limit 1000) as c on c.r = 1 + n % 1000`)
}

export async function vacuum(db: Db, table: 'entry' | 'deposit' | 'card' | 'transaction'): Promise<void> {
  await db.run({ name: undefined, text: `vacuum analyze ${table}`, values: [] })
}
