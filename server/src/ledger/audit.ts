// The audit: derives every balance again from the entries, operations and deposits, and checks the hash chain. Reads only.
import type { Db } from '../db/pool.ts'
import { formatId, ZERO_ID } from '../lib/ids.ts'
import { type AccountKey, auditAccount, listAccountsAfter } from './queries.ts'

export interface Audit {
  accounts: number
  entries: number
  differences: { companyId: string; environment: string; difference: string }[]
}

/** Few enough for one quick statement, however many accounts there are. */
const ACCOUNTS_PER_PAGE = 500
/** The first differences show what is wrong; nobody would read more. */
const DIFFERENCES_MAX = 1000
export const FIRST_ACCOUNT: AccountKey = { company_id: ZERO_ID, environment: 'sandbox' }

/** `atATime` accounts are read side by side: one, unless they are on several nodes. */
export async function auditLedger(db: Db, atATime = 1): Promise<Audit> {
  const audit: Audit = { accounts: 0, entries: 0, differences: [] }
  let after = FIRST_ACCOUNT
  for (;;) {
    const accounts = await listAccountsAfter(db, after, ACCOUNTS_PER_PAGE)
    for (let start = 0; start < accounts.length; start += atATime) {
      const some = accounts.slice(start, start + atATime)
      const found = await Promise.all(some.map((account) => auditAccount(db, account)))
      for (const [index, account] of some.entries()) add(audit, account, found[index] ?? [])
    }
    const last = accounts.at(-1)
    if (last === undefined || audit.differences.length >= DIFFERENCES_MAX) return audit
    after = last
  }
}

function add(audit: Audit, account: AccountKey, rows: Awaited<ReturnType<typeof auditAccount>>): void {
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
