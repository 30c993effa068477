// Archives entries in the database as the command does, without a file, for tests of what the API says afterwards.
import { deleteArchivedEntries, findArchivableRange, recordArchive } from '../../src/archive/queries.ts'
import type { Db } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { must } from '../../src/lib/invariant.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { isDistributed } from '../support/on-citus.ts'

const ENTRIES_MAX = 100_000

/** Archives the entries of an account from before a time. It makes a seal there, because the job may have sealed beyond it. */
export async function archiveBefore(db: Db, { companyId, environment }: Scope, before: Date): Promise<void> {
  const account = { company_id: companyId, environment }
  const newest = await db.find<{ sequence: bigint }>(
    sql`select sequence from account where company_id = ${companyId} and environment = ${environment}`,
  )
  const from = await db.find<{ number: bigint }>(
    sql`select first_entry_at(${companyId}, ${environment}, ${must(newest).sequence}, ${before}) as number`,
  )
  const number = must(from).number - 1n
  const chain = await db.find<{ hash: Buffer }>(sql`select chain_at(${companyId}, ${environment}, ${number}) as hash`)
  await db.run(sql`
    insert into seal (company_id, environment, number, hash, sealed_at)
    values (${companyId}, ${environment}, ${number}, ${must(chain).hash}, ${before}) on conflict do nothing`)
  const range = await findArchivableRange(db, account, before, ENTRIES_MAX)
  if (range === undefined) throw new Error('nothing can be archived')
  const [first, last] = [Number(range.first_number), Number(range.last_number)]
  const file = { hash: range.hash_after.toString('hex'), fileName: 'none', fileDigest: '00'.repeat(32) }
  await recordArchive(db, account, before, { first, last, ...file })
  // On Citus entries cannot be deleted. The API goes by the record.
  if (!isDistributed()) await deleteArchivedEntries(db, account, first, last)
}
