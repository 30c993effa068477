// What operators' lists call a company, so that a reader of a page needs no other request to translate ids. The names are those of now,
// read with one statement for all rows of a page.
import type { Db } from '../db/pool.ts'
import { findId } from '../lib/ids.ts'
import { listCompanyNames } from './queries.ts'

export interface CompanyNamed {
  company_name?: string
}

/** Returns the names of companies by their ids. */
export async function readCompanyNames(
  db: Db,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const found = wanted.length === 0 ? [] : await listCompanyNames(db, wanted)
  return new Map(found.map(({ id, name }) => [id, name]))
}

/** Returns the rows with the names of their companies. */
export async function withCompanyNames<Row extends { company_id: string | null }>(
  db: Db,
  rows: readonly Row[],
): Promise<(Row & CompanyNamed)[]> {
  const names = await readCompanyNames(
    db,
    rows.map((row) => row.company_id),
  )
  return rows.map((row) => {
    const name = names.get(row.company_id)
    return name === undefined ? row : { ...row, company_name: name }
  })
}

/** Returns what was found in the books with the names of the companies, where they exist. */
export async function nameCompaniesOf<Found extends { companyId: string }>(
  db: Db,
  found: readonly Found[],
): Promise<(Found & { companyName?: string })[]> {
  const idOf = ({ companyId }: Found) => findId('co', companyId) ?? null
  const names = await readCompanyNames(db, found.map(idOf))
  return found.map((one) => {
    const name = names.get(idOf(one))
    return name === undefined ? one : { ...one, companyName: name }
  })
}
