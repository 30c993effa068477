// Long lists of two companies. In each list of the first, only the oldest row is unusual, so that a filter for it has to look at
// everything before it finds something.
import { sql } from '../../src/db/sql.ts'
import type { Scope } from '../../src/lib/scope.ts'
import type { Book } from '../ledger/book.ts'

export const ROWS = 5_000
/** Rows are a second apart, and the oldest has the number 1. */
export const FIRST = new Date('2026-03-01T00:00:00.000Z')
const HEAD = FIRST.getTime()

export const idOf = (number: number) => {
  const hex = (HEAD + number * 1000).toString(16).padStart(12, '0') + '70008' + number.toString(16).padStart(15, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
export const OLDEST = idOf(1)
/** The card and the holder of all rows but the oldest. */
export const USUAL = idOf(2)

/** The ids are those of `idOf`. */
const SERIES = `
  (select n, (lpad(to_hex(${HEAD}::bigint + n * 1000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid as id,
          timestamptz '${FIRST.toISOString()}' + n * interval '1 s' as at, n = 1 as rare
   from generate_series(1, ${ROWS}) n) s`

const TABLES = [
  `holder (company_id, environment, id, name, email, kind, status, external_id, created_at)
   select $1, $2, id, 'Holder', case when rare then 'rare@example.com' else n || '@example.com' end,
          case when rare then 'corporate' else 'individual' end, case when rare then 'blocked' else 'active' end,
          case when rare then 'rare' else 'x' || n end, at`,
  `card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
   select $1, $2, id, case when rare then '${OLDEST}'::uuid else '${USUAL}' end, case when rare then 'rare' else 'usual' end, 'Card', '0000',
          case when rare then 'blocked' else 'active' end, 0, at`,
  `transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied, merchant, country,
                description, occurred_at, created_at, updated_at)
   select $1, $2, id, case when rare then '${OLDEST}'::uuid else '${USUAL}' end, n::text, case when rare then 'fee' else 'purchase' end,
          case when rare then 'expired' else 'settled' end, 1, 'USD', 1, 0,
          case when rare then 'Rare merchant' else 'Usual' end, '', '', at, at, at`,
  `operation (company_id, environment, id, type, status, amount, fee, product_id, card_id, recipient, receipt, idempotency_key, request_digest,
              created_at, status_at, due_at)
   select $1, $2, id, case when rare then 'service' else 'topup' end, case when rare then 'completed' else 'queued' end, 1000, 0, 'x',
          case when rare then null else '${USUAL}'::uuid end, case when rare then 'x' end, case when rare then 'x' end, n::text, '', at, at, at`,
  `issuer_request (company_id, environment, id, kind, status, due_at, held) select $1, $2, id, 'topup', 'queued', at, 1000`,
  `card_operation (company_id, environment, card_id, id) select $1, $2, '${USUAL}'::uuid, id`,
  `event (company_id, environment, id, type, object_id, sequence, data, created_at)
   select $1, $2, id, case when rare then 'operation.completed' else 'card.updated' end, '${OLDEST}'::uuid, 2,
          case when rare then null else '{}'::jsonb end, at`,
  `request_log (company_id, environment, id, key_id, status, path, detail)
   select $1, $2, id, case when rare then '${OLDEST}'::uuid else '${USUAL}' end, case when rare then 418 else 200 end,
          case when rare then '/rare' else '/usual' end, '{}'`,
  `invoice (company_id, environment, id, status, requested, deposit, fee, failure_code, failure_message, idempotency_key, request_digest,
            created_at, status_at)
   select $1, $2, id, case when rare then 'failed' else 'expired' end, 1000, 1000, 15, case when rare then 'x' end, case when rare then 'x' end,
          n::text, '', at, at`,
  `entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
   select $1, $2, n, case when rare then 'reservation' else 'deposit' end, id, (case when rare then 'op' else 'fund' end)::reference_type,
          case when rare then -100 else 100 end, case when rare then 100 else 0 end, n * 100, case when rare then 100 else 0 end, at`,
]

export async function addLongLists(book: Book, { companyId, environment }: Scope): Promise<void> {
  const values = [companyId, environment]
  for (const text of TABLES) await book.db.run({ name: undefined, text: `insert into ${text} from ${SERIES}`, values })
  await book.db.run(sql`
    delete from issuer_request where company_id = ${companyId} and environment = ${environment} and id = ${OLDEST}`)
  await book.db.run(sql`
    update account set sequence = ${ROWS}, last_entry_at = ${new Date(HEAD + ROWS * 1000)}
    where company_id = ${companyId} and environment = ${environment}`)
}
