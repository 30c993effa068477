// Inserts one company with long lists, which attacks, and many others with holders, whom it must not slow down.
import type { Db } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { seedCards } from '../books/seed.ts'
import type { Company } from '../seed.ts'

export const HOLDERS = 100_000
export const CARDS = 100_000
export const EVENTS = 200_000
export const OTHERS = 200
const HOLDERS_OF_OTHERS = 1_000
const REQUESTS = 200_000
/** The events are within the time for which they are kept. */
export const FIRST_EVENT = new Date(Date.now() - 10 * 86_400_000)

export async function seedNeighbours(db: Db, attacker: Company, others: readonly Company[]): Promise<void> {
  await seedHolders(db, [attacker.id], HOLDERS)
  await seedHolders(
    db,
    others.map(({ id }) => id),
    HOLDERS_OF_OTHERS,
  )
  await seedCards(db, attacker, CARDS)
  await seedEvents(db, attacker)
  await seedRequestLog(db, attacker)
  for (const table of ['holder', 'card', 'event', 'request_log'])
    await db.run({ name: undefined, text: `vacuum analyze ${table}`, values: [] })
}

function seedHolders(db: Db, companies: readonly string[], count: number) {
  return db.run(sql`
    insert into holder (company_id, environment, id, name, email, kind, status, external_id, created_at)
    select c.id, 'sandbox', gen_random_uuid(), 'Holder ' || n, 'holder' || n || '@example.com', 'individual', 'active', 'ext' || n, now()
    from unnest(${companies}::uuid[]) as c (id), generate_series(1, ${count}::integer) as n`)
}

/** Changes of cards, one every few seconds. No event is of the type that the streams ask for. */
function seedEvents(db: Db, { id }: Company) {
  return db.run(sql`
    insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
    select ${id}, 'sandbox', (lpad(to_hex(${FIRST_EVENT.getTime()}::bigint + n * 4000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
           'card.updated', gen_random_uuid(), 1, jsonb_build_object('id', 'card_' || n, 'status', 'active', 'name', repeat('x', 200)),
           ${FIRST_EVENT}::timestamptz + n * interval '4 s'
    from generate_series(1, ${EVENTS}::integer) as n`)
}

function seedRequestLog(db: Db, { id }: Company) {
  const first = Date.now() - 6 * 86_400_000
  return db.run(sql`
    insert into request_log (company_id, environment, id, key_id, status, path, detail)
    select ${id}, 'sandbox', (lpad(to_hex(${first}::bigint + n * 2000), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
           gen_random_uuid(), 200, '/api/v1/balance', '{}'
    from generate_series(1, ${REQUESTS}::integer) as n`)
}
