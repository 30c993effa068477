// Archives entries in the database as the command does, without a file, for tests of what the API says afterwards.
import { deleteArchivedEntries, findArchivableRange, recordArchive } from '../../src/archive/queries.ts'
import type { Db } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import type { Scope } from '../../src/lib/scope.ts'

const ENTRIES_MAX = 100_000

/** Archives the entries of an account from before a time. It makes a seal there, because the job may have sealed beyond it. */
export async function archiveBefore(db: Db, { companyId, environment }: Scope, before: Date): Promise<void> {
  await db.run(sql`
    insert into seal (company_id, environment, number, hash, sealed_at)
    select a.company_id, a.environment, n.number, chain_at(a.company_id, a.environment, n.number), ${before}
    from account a cross join lateral (
      select first_entry_at(a.company_id, a.environment, a.sequence, ${before}) - 1 as number
    ) n
    where a.company_id = ${companyId} and a.environment = ${environment}
    on conflict do nothing`)
  const account = { company_id: companyId, environment }
  const range = await findArchivableRange(db, account, before, ENTRIES_MAX)
  if (range === undefined) throw new Error('nothing can be archived')
  const [first, last] = [Number(range.first_number), Number(range.last_number)]
  const file = { hash: range.hash_after.toString('hex'), fileName: 'none', fileDigest: '00'.repeat(32) }
  await recordArchive(db, account, before, { first, last, ...file })
  await deleteArchivedEntries(db, account, first, last)
}
