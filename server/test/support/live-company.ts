// A company that may do everything in live, with money that came from nowhere.
import { programActor } from '../../src/access/audit.ts'
import { PERMISSIONS } from '../../src/access/permissions.ts'
import { changeCapabilities } from '../../src/companies/companies.ts'
import { deposit } from '../../src/ledger/deposit.ts'
import { cents, ZERO } from '../../src/lib/money.ts'
import type { TestCompany, TestServer } from './harness.ts'

export async function createLiveCompany(server: TestServer): Promise<TestCompany> {
  const company = await server.createCompany()
  const access = { db: server.db, clock: server.clock, keyring: server.app.keyring }
  await changeCapabilities(access, programActor('test'), company.id, { liveServices: true, directInvoices: true })
  const key = await server.createKey(company.id, { environment: 'live', scopes: PERMISSIONS })
  const scope = { companyId: company.id, environment: 'live' } as const
  const funds = { amount: cents(100_000n), fee: ZERO, idempotencyKey: 'funds', digest: '00'.repeat(32) }
  await deposit({ db: server.db, clock: server.clock }, scope, funds)
  return { ...company, key, scope }
}
