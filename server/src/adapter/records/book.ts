// The book of an issuer: what it carried out or refused, for the reconciliation of the server.
import type { Static } from 'typebox'
import type { Db } from '../../db/pool.ts'
import { type Book, BOOK_PAGE_MAX, type BookQuery, type BookRecord } from '../../issuer/http/protocol.ts'
import { findId, formatId, ZERO_ID } from '../../lib/ids.ts'
import { formatMicros } from '../../tron/usdt.ts'
import { type AnsweredRow, listRequests } from './queries.ts'

export const LAST_TOKEN = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readBook(db: Db, query: Static<typeof BookQuery>): Promise<Static<typeof Book>> {
  const companyId = query.companyId === undefined ? null : (findId('co', query.companyId) ?? ZERO_ID)
  const { after = ZERO_ID, until = LAST_TOKEN, limit = BOOK_PAGE_MAX } = query
  const rows = await listRequests(db, { companyId, after, until, limit })
  return { data: rows.map(toRecord) }
}

function toRecord(row: AnsweredRow): BookRecord {
  return {
    token: row.token,
    companyId: formatId('co', row.company_id),
    kind: row.kind,
    outcome: row.answer.outcome,
    amount: 'amount' in row.content ? row.content.amount : null,
    received: row.received === null ? null : formatMicros(row.received),
  }
}
