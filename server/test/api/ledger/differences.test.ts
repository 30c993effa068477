// What the audit of the ledger finds names the company, so that a reader needs no other request.
import { afterAll, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { TestServer } from '../../support/harness.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

it('a difference carries the name of its company, and the record of the run does not', async () => {
  await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
  await server.db.run(sql`update account set available = available + 1 where company_id = ${company.id}`)
  const { body } = await server.get<{ differences: object[] }>('/admin/v1/ledger/audit', server.operatorToken)
  const difference = { companyId: company.wireId, environment: 'sandbox' }
  expect(body.differences[0]).toMatchObject({ ...difference, companyName: 'Test company' })
  const log = await server.get<{ data: { details: { first: object[] } }[] }>(
    '/admin/v1/audit-log?object=ledger',
    server.operatorToken,
  )
  expect(log.body.data[0]?.details.first[0]).not.toHaveProperty('companyName')
})
