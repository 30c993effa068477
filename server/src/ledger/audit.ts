// The audit: derives every balance again from the entries, operations and deposits, and checks the hash chain. Reads only.
import type { Db } from '../db/pool.ts'
import { formatId, ZERO_ID } from '../lib/ids.ts'
import { type AccountKey, auditAccount, listAccountsAfter } from './queries.ts'

export interface Audit {
  accounts: number
  entries: number
  differences: { companyId: string; environment: string; difference: string }[]
}

const ACCOUNTS_PER_PAGE = 500
/** The first differences show what is wrong; nobody would read more. */
const DIFFERENCES_MAX = 1000
export const FIRST_ACCOUNT: AccountKey = { company_id: ZERO_ID, environment: 'sandbox' }

export async function auditLedger(db: Db): Promise<Audit> {
  const audit: Audit = { accounts: 0, entries: 0, differences: [] }
  let after = FIRST_ACCOUNT
  for (;;) {
    const accounts = await listAccountsAfter(db, after, ACCOUNTS_PER_PAGE)
    for (const account of accounts) await auditOne(db, account, audit)
    const last = accounts.at(-1)
    if (last === undefined || audit.differences.length >= DIFFERENCES_MAX) return audit
    after = last
  }
}

async function auditOne(db: Db, account: AccountKey, audit: Audit): Promise<void> {
  const rows = await auditAccount(db, account)
  audit.accounts += 1
  audit.entries += Number(rows[0]?.entries ?? 0n)
  for (const { difference } of rows) {
    if (difference === null) continue
    audit.differences.push({
      companyId: formatId('co', account.company_id),
      environment: account.environment,
      difference,
    })
  }
}
