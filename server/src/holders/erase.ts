// Erases the personal data of a cardholder: the holder at once, and the older records that mention it by a job, in bounded
// batches. The entries of the ledger hold no personal data and are never touched.
import { type Actor, auditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { ApiError, requireFound } from '../errors.ts'
import { SETTLED_AFTER_MS } from '../events/feed.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { restAfter } from '../lib/rest.ts'
import type { Scope } from '../lib/scope.ts'
import type { Job } from '../worker/loop.ts'
import { beginErasure, continueErasure, type ErasureVerdict, findHolder, type HolderRow } from './queries.ts'

/** Open operations per status that are searched while the account is locked. Reading as many takes a few milliseconds. */
const OPEN_LIMIT = 1_000
/** Somebody waits for an erasure, and looking for one costs little. */
const INTERVAL_MS = 500

interface Deps {
  db: Db
  clock: Clock
}

/** Returns the holder without its personal data. Erasing it again changes nothing. */
export async function eraseHolder(
  { db, clock }: Deps,
  scope: Scope,
  actor: Actor,
  holderId: string,
): Promise<HolderRow> {
  const { environment } = scope
  const log = auditRecord(clock, actor, {
    action: 'holder.erased',
    object: formatId('hld', holderId),
    details: { environment },
  })
  const found = await beginErasure(db, scope, clock.now(), { holderId, openLimit: OPEN_LIMIT, log })
  const refusal = refusalOf(requireFound(found))
  if (refusal !== undefined) throw refusal
  return must(await findHolder(db, scope, holderId))
}

function refusalOf(found: ErasureVerdict): ApiError | undefined {
  const inUse = (message: string, details?: Record<string, string>) =>
    new ApiError('holder_in_use', message, details === undefined ? {} : { details })
  switch (found.verdict) {
    case 'begun':
    case 'already':
      return undefined
    case 'card_open': {
      const cardId = formatId('card', found.blocking)
      return inUse(`The holder still has the card ${cardId}. Close it, then erase the holder.`, { cardId })
    }
    case 'change_open': {
      const cardId = formatId('card', found.blocking)
      return inUse(
        `A change of the card ${cardId} is in progress. Wait until it has ended, close the card, then erase the holder.`,
        { cardId },
      )
    }
    case 'operation_open': {
      const operationId = formatId('op', found.blocking)
      return inUse(
        `The operation ${operationId} for this holder is in progress. Wait until it is completed or failed, then erase the holder.`,
        { operationId },
      )
    }
    case 'busy':
      return inUse(
        `The company has more than ${OPEN_LIMIT} operations in progress. Erase the holder when there are fewer.`,
      )
  }
}

/** Refuses to use a cardholder that was erased. */
export function holderErased(holderId: string): ApiError {
  return new ApiError(
    'holder_erased',
    'The personal data of this holder was erased, and it cannot be used again. Add a new holder with a new Idempotency-Key.',
    { details: { originalId: formatId('hld', holderId) } },
  )
}

/**
 * Goes on with erasures, a bounded number of records at a time. Each erasure looks at all operations and events of its company, and a company
 * may ask for very many, so the job rests after each part: others find the database free.
 */
export function erasureJob({ db, clock, rest = restAfter }: Deps & { rest?: typeof restAfter }): Job {
  return {
    name: 'erasures',
    intervalMs: INTERVAL_MS,
    run: async () => {
      const startedMs = performance.now()
      const now = clock.now()
      const settledAt = new Date(now.getTime() + SETTLED_AFTER_MS)
      if ((await continueErasure(db, now, settledAt))?.more !== true) return false
      await rest(startedMs)
      return true
    },
  }
}
