// A database of every released version can be upgraded: its schema becomes that of a new database, its ledger stays right,
// and the server continues with its data. CONTRIBUTING.md says how the dumps are made.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeSchema } from '../../../scripts/schema-text.ts'
import { migrate } from '../../src/db/migrate.ts'
import { auditLedger } from '../../src/ledger/audit.ts'
import { formatId } from '../../src/lib/ids.ts'
import { eventually, operate, settled } from '../books/steps.ts'
import { createDatabase, type TestCompany, type TestDatabase, TestServer } from '../support/harness.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const dumps = readdirSync(folder).filter((name) => name.endsWith('.sql'))
const schemaFile = fileURLToPath(new URL('../../schema.sql', import.meta.url))

async function withClient<Result>({ connection }: TestDatabase, use: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function listEmptyTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'reference_issuer')`,
  )
  const empty: string[] = []
  for (const { name } of rows) {
    if ((await client.query(`select from ${name} limit 1`)).rowCount === 0) empty.push(name)
  }
  return empty
}

const OBJECTS = `
  select company_id, environment, id, 'op' as type from operation
  union all select company_id, environment, id, 'inv' from invoice
  union all select company_id, environment, id, 'rev' from payment_review
  union all select company_id, environment, id, 'fund' from deposit
  union all select company_id, environment, id, 'card' from card
  union all select company_id, environment, id, 'txn' from transaction`
/** The types of reference in the ledger, with the number of entries whose object is missing. */
const REFERENCES = `
  select e.reference_type::text as type, count(*) filter (where o.id is null) as missing
  from entry e
  left join (${OBJECTS}) o on o.company_id = e.company_id and o.environment = e.environment and o.id = e.reference
    and o.type = e.reference_type::text
  group by e.reference_type order by e.reference_type`

it('there is a dump of a released version', () => expect(dumps).toContain('0.1.0.sql'))

describe.each(dumps)('%s', (name) => {
  let database: TestDatabase
  let emptyTables: string[]
  beforeAll(async () => {
    database = await createDatabase('template0')
    await withClient(database, (client) => client.query(readFileSync(`${folder}/${name}`, 'utf8')))
    emptyTables = await withClient(database, listEmptyTables)
    await migrate(database.connection)
  })
  afterAll(() => database.drop())

  it('had rows in every table', () => expect(emptyTables).toEqual([]))

  it('has the schema of a new database afterwards', async () => {
    const schema = await withClient(database, describeSchema)
    expect(schema.split('\n')).toEqual(readFileSync(schemaFile, 'utf8').split('\n'))
  })

  it('has entries of every type of reference, and each refers to an object of that type', async () => {
    const { rows } = await withClient(database, (client) => client.query<{ type: string; missing: string }>(REFERENCES))
    expect(rows).toEqual(['op', 'inv', 'rev', 'fund', 'card', 'txn'].map((type) => ({ type, missing: '0' })))
  })

  it('has each function once', async () => {
    const { rows } = await withClient(database, (client) =>
      client.query(
        `select proname from pg_proc where pronamespace = 'public'::regnamespace group by proname having count(*) > 1`,
      ),
    )
    expect(rows).toEqual([])
  })

  it('keeps every entry and a ledger without differences, and continues to accept and settle', async () => {
    const server = await TestServer.start({}, { database: { ...database, drop: () => Promise.resolve() } })
    try {
      expect((await auditLedger(server.db)).differences).toEqual([])
      // After the leases of the operations that were being carried out.
      server.clock.set('2026-03-20T12:00:00.000Z')
      const company = await findCompany(server)
      const body = { type: 'service', productId: 'prod_service_esim', amount: '20.00', recipient: 'ada@example.com' }
      const operation = await settled(server, company, await operate(server, company, body))
      expect(operation.status).toBe('completed')
      await eventually(
        () => server.get<{ data: { status: string }[] }>('/api/v1/operations?limit=100', company.key),
        (list) => list.body.data.every(({ status }) => status !== 'queued' && status !== 'processing'),
      )
      expect((await auditLedger(server.db)).differences).toEqual([])
    } finally {
      await server.stop()
    }
  })
})

/** The company with the most entries in the sandbox, with a new key. */
async function findCompany(server: TestServer): Promise<TestCompany> {
  const row = await server.db.find<{ company_id: string }>({
    name: undefined,
    text: `select company_id from account where environment = 'sandbox' order by sequence desc limit 1`,
    values: [],
  })
  const id = row?.company_id ?? ''
  const key = await server.createKey(id)
  return { id, wireId: formatId('co', id), scope: { companyId: id, environment: 'sandbox' }, key }
}
