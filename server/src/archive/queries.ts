// All SQL of archives. Entries are read some at a time, each time as a transaction of its own: they never change.
import type { Db } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { AccountKey } from '../ledger/queries.ts'

export interface RangeRow {
  first_number: bigint
  last_number: bigint
  hash_before: Buffer
  hash_after: Buffer
  opening: bigint
  opening_held: bigint
  closing: bigint
  closing_held: bigint
  last_at: Date
}

export function findArchivableRange(
  db: Db,
  { company_id: company, environment }: AccountKey,
  before: Date,
  limit: number,
) {
  return db.find<RangeRow>(sql`
    select first_number, last_number, hash_before, hash_after, opening, opening_held, closing, closing_held, last_at
    from archivable_range(${company}, ${environment}, ${before}, ${limit})`)
}

export function readLines(db: Db, account: AccountKey, first: number, last: number) {
  return db.find<{ lines: string | null }>(sql`
    select archive_lines(${account.company_id}, ${account.environment}, ${first}, ${last}) as lines`)
}

export interface NewArchive {
  readonly first: number
  readonly last: number
  readonly hash: string
  readonly fileName: string
  readonly fileDigest: string
}

export function recordArchive(db: Db, account: AccountKey, now: Date, archive: NewArchive) {
  return db.find<{ recorded: boolean }>(sql`
    select record_archive(
      ${account.company_id}, ${now}, ${account.environment}, ${archive.first}, ${archive.last}, ${archive.hash},
      ${archive.fileName}, ${archive.fileDigest}) as recorded`)
}

export function deleteArchivedEntries(db: Db, account: AccountKey, first: number, last: number) {
  return db.run(sql`
    select delete_archived_entries(${account.company_id}, ${account.environment}, ${first}, ${last})`)
}

export interface NewestRow {
  number: bigint
  file_name: string
  file_digest: Buffer
  left_from: bigint | null
}

/** Returns the newest archive of an account, and the oldest of its entries that is not deleted yet. */
export function findNewestArchive(db: Db, account: AccountKey) {
  return db.find<NewestRow>(sql`
    select a.number, a.file_name, a.file_digest,
           (select e.number from entry e
            where e.company_id = ${account.company_id} and e.environment = ${account.environment} and e.number <= a.number
            order by e.number limit 1) as left_from
    from entry_archive a
    where a.company_id = ${account.company_id} and a.environment = ${account.environment}
    order by a.number desc limit 1`)
}

export interface SealValue {
  number: bigint
  hash: Buffer
}

export function listSealsAfter(db: Db, account: AccountKey, number: number, limit: number) {
  return db.many<SealValue>(sql`
    select number, hash from seal
    where company_id = ${account.company_id} and environment = ${account.environment} and number > ${number}
    order by number limit ${limit}`)
}
