// Compares our records with the live issuer's, company by company, in the order of the request tokens, and lists differences.
// It must only read.
//
// Our records are read first, so that what is done here must be in the issuer's book. Requests go on meanwhile, so what the book has
// and we did not is looked for here once more: we record a request before it is sent, so if it is still unknown, it is not ours.
import { readCompanyNames } from '../access/company-names.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { HttpIssuer } from '../issuer/http/issuer.ts'
import { BOOK_PAGE_MAX, type BookRecord } from '../issuer/http/protocol.ts'
import { FIRST_ACCOUNT } from '../ledger/audit.ts'
import { listAccountsAfter } from '../ledger/queries.ts'
import { findId, formatId, ZERO_ID } from '../lib/ids.ts'
import { formatCents, parseCents } from '../lib/money.ts'
import { formatMicros, parseMicros } from '../tron/usdt.ts'
import { type AskedRow, listAsked, listKnown } from './queries.ts'

export interface Reconciliation {
  companies: number
  /** The number of records compared. */
  compared: number
  differences: Difference[]
}

export interface Difference {
  companyId: string
  id: string
  kind: string
  difference: string
}

const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Few enough for one quick statement, however many accounts there are. */
const ACCOUNTS_PER_PAGE = 500
/** The first differences show what is wrong; nobody reads more. */
const DIFFERENCES_MAX = 1000

export async function reconcile({ db, issuer }: { db: Db; issuer: HttpIssuer | undefined }): Promise<Reconciliation> {
  if (issuer === undefined) {
    throw new ApiError(
      'issuer_not_configured',
      'This server has no live issuer to compare with. Set ISSUER_URL and ISSUER_SECRET, then restart it.',
    )
  }
  const result: Reconciliation = { companies: 0, compared: 0, differences: [] }
  const known = new Set<string>()
  let after = FIRST_ACCOUNT
  for (;;) {
    const accounts = await listAccountsAfter(db, after, ACCOUNTS_PER_PAGE)
    for (const { company_id: companyId, environment } of accounts) {
      if (environment !== 'live' || result.differences.length >= DIFFERENCES_MAX) continue
      known.add(formatId('co', companyId))
      await reconcileCompany({ db, issuer }, companyId, result)
    }
    const last = accounts.at(-1)
    if (last === undefined) break
    after = last
  }
  await findStrangers({ db, issuer }, known, result)
  return result
}

async function reconcileCompany(
  { db, issuer }: { db: Db; issuer: HttpIssuer },
  companyId: string,
  result: Reconciliation,
): Promise<void> {
  result.companies += 1
  const wireId = formatId('co', companyId)
  let after = ZERO_ID
  for (;;) {
    const ours = await listAsked(db, companyId, after, BOOK_PAGE_MAX)
    const last = ours.length === BOOK_PAGE_MAX ? ours.at(-1)?.id : undefined
    const theirs = await readRecords(issuer, { companyId: wireId, after, until: last ?? LAST })
    const unknown = compare(wireId, ours, theirs, result)
    await addUnknown(db, companyId, unknown, result)
    if (last === undefined || result.differences.length >= DIFFERENCES_MAX) return
    after = last
  }
}

/** Returns the records of which we had none. A change of a card's status moves no money, so it is not compared. */
function compare(companyId: string, ours: AskedRow[], theirs: BookRecord[], result: Reconciliation): BookRecord[] {
  const records = new Map(theirs.map((record) => [record.token, record]))
  for (const row of ours) {
    const record = records.get(row.id)
    records.delete(row.id)
    result.compared += 1
    const difference = findDifference(row, record)
    if (difference === undefined) continue
    const id = formatId(row.kind === 'invoice' ? 'inv' : 'op', row.id)
    result.differences.push({ companyId, id, kind: row.kind, difference })
  }
  return [...records.values()].filter(({ kind }) => kind !== 'card_status')
}

/** Adds the records that are still unknown here. The others came after ours were read, and the next comparison has them. */
async function addUnknown(
  db: Db,
  companyId: string,
  records: readonly BookRecord[],
  result: Reconciliation,
): Promise<void> {
  if (records.length === 0) return
  const tokens = records.map(({ token }) => token)
  const known = new Set((await listKnown(db, companyId, tokens)).map(({ id }) => id))
  for (const { token, kind, outcome } of records) {
    if (known.has(token)) continue
    result.compared += 1
    const difference = `${outcome} at the issuer, unknown here`
    result.differences.push({ companyId: formatId('co', companyId), id: token, kind, difference })
  }
}

/** Returns how the issuer's record contradicts ours, or undefined if they agree or ours is not finished. */
export function findDifference(row: AskedRow, record: BookRecord | undefined): string | undefined {
  const isOpen = ['queued', 'processing', 'creating'].includes(row.status)
  if (record === undefined) {
    if (isOpen || row.status === 'failed') return undefined
    return `${row.status} here, not in the issuer's book`
  }
  if (record.kind !== row.kind) return `${row.kind} here, ${record.kind} at the issuer`
  if (record.amount === null || parseCents(record.amount) !== row.amount) {
    return `${formatCents(row.amount)} here, ${record.amount ?? 'no amount'} at the issuer`
  }
  if (isOpen) return undefined
  // An operator may refuse an invoice that the issuer created. An operation that was carried out must not be failed here.
  const isDecided = row.kind === 'invoice' && row.failure_code === 'review_failed'
  const isFailedHere = row.status === 'failed' && !isDecided
  if (record.outcome === 'done' && isFailedHere) return 'failed here, done at the issuer'
  if (record.outcome === 'refused' && row.status !== 'failed') return `${row.status} here, refused at the issuer`
  if (row.kind !== 'invoice') return row.status === 'manual_review' ? 'undecided here, done at the issuer' : undefined
  const theirs = record.received === null ? 0n : parseMicros(record.received)
  if (theirs === (row.received ?? 0n)) return undefined
  return `${formatMicros(row.received ?? 0n)} USDT received here, ${formatMicros(theirs)} at the issuer`
}

/** Adds records of companies that do not exist here. */
async function findStrangers(
  { db, issuer }: { db: Db; issuer: HttpIssuer },
  known: ReadonlySet<string>,
  result: Reconciliation,
): Promise<void> {
  let after = ZERO_ID
  while (result.differences.length < DIFFERENCES_MAX) {
    const page = await readPage(issuer, { after, limit: BOOK_PAGE_MAX })
    const others = page.filter(({ companyId }) => !known.has(companyId))
    const idOf = ({ companyId }: BookRecord) => findId('co', companyId) ?? null
    // A company may have been added since ours were read.
    const added = await readCompanyNames(db, others.map(idOf))
    for (const record of others) {
      if (added.has(idOf(record))) continue
      const { companyId, token, kind } = record
      result.differences.push({ companyId, id: token, kind, difference: 'of a company that does not exist here' })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < BOOK_PAGE_MAX) return
    after = last.token
  }
}

async function readRecords(
  issuer: HttpIssuer,
  range: { companyId: string; after: string; until: string },
): Promise<BookRecord[]> {
  const records: BookRecord[] = []
  let { after } = range
  for (;;) {
    const page = await readPage(issuer, { ...range, after, limit: BOOK_PAGE_MAX })
    records.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < BOOK_PAGE_MAX || records.length > BOOK_PAGE_MAX * 10) return records
    after = last.token
  }
}

async function readPage(issuer: HttpIssuer, query: Parameters<HttpIssuer['readBook']>[0]): Promise<BookRecord[]> {
  const page = await issuer.readBook(query)
  if (page === undefined) throw new ApiError('unavailable', "The issuer's records cannot be read now. Try again later.")
  return page
}
