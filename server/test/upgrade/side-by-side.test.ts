// Processes of the previous version go on without an error while a new version migrates the database, and both work side by
// side afterwards. The new version is this one with a migration that adds a column to a table of the baseline, and with all functions
// replaced.
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { readSchemaFiles, type SqlFile } from '../../src/db/sql-files.ts'
import { auditLedger } from '../../src/ledger/audit.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'

let former: TestServer
let latter: TestServer | undefined
let company: TestCompany

beforeAll(async () => {
  former = await TestServer.start()
  company = await former.createCompany()
  const { status, text } = await former.post('/api/v1/sandbox/funding', company.key, { amount: '100000.00' })
  if (status !== 200) throw new Error(text)
})
afterAll(async () => {
  await latter?.stop()
  await former.stop()
})

/** How often the new version is rolled out during the load. Each time may hit a statement at another point. */
const UPGRADES = 5
const CLIENTS = 4

/** A migration of a later version. */
const later = (number: number): SqlFile => {
  const text = `alter table operation add column upgrade_${number} text;`
  return { name: `migrations/${9000 + number}_later.sql`, text, checksum: text }
}

/** Migrates to the version that has this many more migrations than ours, and another text of every function. */
async function upgrade(number: number): Promise<void> {
  const { migrations, functions } = readSchemaFiles()
  const change = (file: SqlFile): SqlFile => {
    const text = file.text.replace('as $$', () => `as $$ -- upgrade ${number}\n`)
    return { ...file, text, checksum: `upgrade ${number}` }
  }
  const added = Array.from({ length: number }, (_, index) => later(index + 1))
  const files = { migrations: [...migrations, ...added], functions: functions.map(change) }
  expect(await migrate(former.connection, { files })).toEqual([
    later(number).name,
    ...functions.map((file) => file.name),
  ])
}

/** What calls that are planned already refer to. */
async function listFunctionIds(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(
    "select proname, oid from pg_proc where pronamespace = 'public'::regnamespace order by proname, oid",
  )
  return rows
}

/** Sends one request of each kind to each server. Returns every answer that was not a success. */
async function sendRound(servers: readonly TestServer[]): Promise<string[]> {
  const failed: string[] = []
  const service = { type: 'service', productId: 'prod_service_esim', recipient: 'ada@example.com', amount: '3.00' }
  for (const server of servers) {
    const answers = [
      await server.post('/api/v1/operations', company.key, service),
      await server.post('/api/v1/sandbox/funding', company.key, { amount: '2.00' }),
      await server.get('/api/v1/balance', company.key),
      await server.get('/api/v1/operations?limit=5', company.key),
    ]
    failed.push(...answers.filter(({ status }) => status >= 300).map(({ status, text }) => `${status} ${text}`))
  }
  return failed
}

it('no request fails while the functions are replaced and a column is added, nor afterwards', async () => {
  const stop = new AbortController()
  const servers = [former]
  const loads = Array.from({ length: CLIENTS }, async () => {
    const failed: string[] = []
    while (!stop.signal.aborted) failed.push(...(await sendRound(servers)))
    return failed
  })
  const client = new pg.Client(former.connection)
  await client.connect()
  const ids = await listFunctionIds(client)
  try {
    for (let number = 1; number <= UPGRADES; number += 1) await upgrade(number)
    latter = await TestServer.start({}, { database: { connection: former.connection, drop: async () => undefined } })
    servers.push(latter)
    await upgrade(UPGRADES + 1)
  } finally {
    stop.abort()
    await Promise.allSettled(loads)
  }
  expect((await Promise.all(loads)).flat()).toEqual([])
  expect(await sendRound(servers)).toEqual([])
  // A call that was planned before a drop fails. That happens about once in two hundred upgrades, so the ids are compared too.
  expect(await listFunctionIds(client)).toEqual(ids)
  expect(ids.length).toBeGreaterThan(50)
  await client.end()
  // Our version is the old one now.
  await expect(migrate(former.connection)).rejects.toThrow(/newer than this program/)
  expect((await auditLedger(former.db)).differences).toEqual([])
})
