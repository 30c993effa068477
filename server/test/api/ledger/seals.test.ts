// GET /admin/v1/ledger/seals and `cardstock seals`: every seal once, newest first, also when many have the same time.
import { type Page, type Seal } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealEntries } from '../../../src/ledger/queries.ts'
import { fund } from '../../books/steps.ts'
import { cardstock } from '../../cli/run.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

let server: TestServer
const companies: TestCompany[] = []

const read = async (query = '') =>
  (await server.get<Page<Seal>>(`/admin/v1/ledger/seals?limit=100${query}`, server.operatorToken)).body.data
const keysOf = (seals: readonly Seal[]) => seals.map(({ companyId, number }) => `${companyId} ${number}`)

beforeAll(async () => {
  server = await TestServer.start()
  for (let count = 0; count < 3; count += 1) companies.push(await server.createCompany())
  for (let round = 0; round < 2; round += 1) {
    server.clock.advance(1_000)
    for (const company of companies) {
      await fund(server, company, '10.00')
      await sealEntries(server.db, { company_id: company.id, environment: 'sandbox' }, server.clock.now(), 100)
    }
  }
})
afterAll(() => server.stop())

test('pages contain every seal once, newest first', async () => {
  const seals = await read()
  expect(seals.length).toBeGreaterThanOrEqual(6)
  expect(seals.map(({ sealedAt }) => sealedAt)).toEqual(
    seals
      .map(({ sealedAt }) => sealedAt)
      .toSorted()
      .toReversed(),
  )
  const paged: Seal[] = []
  let cursor = ''
  for (let page = 0; page <= seals.length; page += 1) {
    const { body } = await server.get<Page<Seal>>(`/admin/v1/ledger/seals?limit=1${cursor}`, server.operatorToken)
    paged.push(...body.data)
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(paged).toEqual(seals)
  expect(new Set(keysOf(paged)).size).toBe(paged.length)
})

test('filters choose a company and an environment, and the command shows the same', async () => {
  const [company] = companies
  const seals = await read(`&companyId=${company?.wireId}`)
  expect(seals.map(({ companyId, number }) => [companyId, number])).toEqual([
    [company?.wireId, 2],
    [company?.wireId, 1],
  ])
  expect(seals[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await read('&environment=live')).toEqual([])
  expect(await read('&companyId=nonsense')).toEqual([])
  const environment = { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_OPERATOR_TOKEN: server.operatorToken }
  const { out } = await cardstock(['seals', '--company', company?.wireId ?? '', '--json'], environment)
  expect((JSON.parse(out) as Page<Seal>).data).toEqual(seals)
})
