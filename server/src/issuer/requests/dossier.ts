// What a review shows of a request to an issuer: the request, and every call with its answer.
import type { Db } from '../../db/pool.ts'
import type { Review } from '../../reviews/review.ts'
import { type Asked, describeExchanges, describeRequest } from '../exchanges.ts'
import { scopeOf } from './ask.ts'
import type { RequestRow } from './kind.ts'

/** The names of what it is about come from elsewhere: they change, and what was sent does not. */
type Dossier = Omit<Review['dossier'], 'names'>

interface Described {
  readonly asked: Asked
  readonly type: string
  readonly claimedAt: Date | null
  /** Returns what to know before deciding. `isAnswered`: an answer to the request itself was kept. */
  note(isAnswered: boolean): string | null
}

export async function describeDossier(
  db: Db,
  row: Pick<RequestRow, 'company_id' | 'environment' | 'id'> & { readonly created_at: Date },
  { asked, type, claimedAt, note }: Described,
): Promise<Dossier> {
  const exchanges = await describeExchanges(db, scopeOf(row), row.id)
  return {
    type,
    acceptedAt: row.created_at.toISOString(),
    claimedAt: claimedAt?.toISOString() ?? null,
    request: describeRequest(asked),
    exchanges,
    note: note(exchanges.some(({ purpose }) => purpose === 'request')),
  }
}
