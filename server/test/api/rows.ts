// Rows put straight into the database, where making them over HTTP would be slow or is not the point.
import { findId, formatId, newId } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import type { TestServer } from '../support/harness.ts'

export interface ListBody {
  data: { id: string; name: string }[]
  nextCursor?: string | null
}

const run = (server: TestServer, text: string, values: unknown[]) => server.db.run({ name: undefined, text, values })

export async function addHolder(
  server: TestServer,
  scope: Scope,
  fields: { name?: string; email?: string; kind?: string; status?: string; externalId?: string } = {},
): Promise<string> {
  const createdAt = server.clock.now()
  const id = newId(createdAt)
  const { name = 'Ada', email = 'ada@example.com', kind = 'individual', status = 'active', externalId = null } = fields
  await run(
    server,
    `insert into holder (company_id, environment, id, name, email, kind, status, external_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [scope.companyId, scope.environment, id, name, email, kind, status, externalId, createdAt],
  )
  return formatId('hld', id)
}

export async function addCard(
  server: TestServer,
  scope: Scope,
  fields: { holderId?: string; productId?: string; status?: string; name?: string; balance?: bigint } = {},
): Promise<string> {
  const createdAt = server.clock.now()
  const id = newId(createdAt)
  const holderId = findId('hld', fields.holderId ?? (await addHolder(server, scope)))
  const { productId = 'prod_card_virtual', status = 'active', name = 'Card', balance = 0n } = fields
  await run(
    server,
    `insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
     values ($1, $2, $3, $4, $5, $6, '4242', $7, $8, $9)`,
    [scope.companyId, scope.environment, id, holderId, productId, name, status, balance, createdAt],
  )
  return formatId('card', id)
}

/** Inserts this many holders in one statement. The first is the oldest. */
export async function addManyHolders(server: TestServer, scope: Scope, count: number): Promise<void> {
  const createdAt = server.clock.now()
  const ids = Array.from({ length: count }, () => newId(createdAt)).toSorted()
  await run(
    server,
    `insert into holder (company_id, environment, id, name, email, kind, status, created_at)
     select $1, $2, h.id, 'Holder ' || h.n, 'h@example.com', 'individual', 'active', $4
     from unnest($3::uuid[]) with ordinality as h (id, n)`,
    [scope.companyId, scope.environment, ids, createdAt],
  )
}
