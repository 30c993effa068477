// The audit after a test. On Citus the audit of an account takes a tenth of a second, and a file may have a hundred accounts: there
// only those are read again that have changed since they were last found right.
import type { Db } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { auditLedger } from '../../src/ledger/audit.ts'
import { type AccountKey, auditAccount } from '../../src/ledger/queries.ts'
import { isDistributed } from './on-citus.ts'

type AccountState = AccountKey & { state: string }

const foundRight = new WeakMap<Db, Map<string, string>>()

export async function findDifferences(db: Db): Promise<string[]> {
  if (!isDistributed()) return (await auditLedger(db)).differences.map(({ difference }) => difference)
  const right = foundRight.get(db) ?? new Map<string, string>()
  foundRight.set(db, right)
  const accounts = await db.many<AccountState>(
    sql`select company_id, environment, (sequence, available, held)::text as state from account`,
  )
  const differences: string[] = []
  for (const { state, ...account } of accounts) {
    const key = `${account.company_id} ${account.environment}`
    if (right.get(key) === state) continue
    const found = (await auditAccount(db, account)).flatMap(({ difference }) => difference ?? [])
    if (found.length === 0) right.set(key, state)
    differences.push(...found)
  }
  return differences
}
