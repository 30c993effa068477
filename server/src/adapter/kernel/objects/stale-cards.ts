// Reports cards that somebody changed at the provider, such as a card that was paused by hand.
import type { CardStatusChanged } from '../../../issuer/http/event-schema.ts'
import { formatId, newId } from '../../../lib/ids.ts'
import { formatCents } from '../../../lib/money.ts'
import type { Job } from '../../../worker/loop.ts'
import { insertEvent } from '../../outbox/queries.ts'
import { type ProviderObject, statusSubject } from '../../provider.ts'
import type { KernelDeps } from '../carry-out.ts'
import { clearStale, listStaleCards, type StaleCardRow, updateCardStatus } from './queries.ts'
import { deleteSubjects, takeSubjects } from '../queries.ts'

/** A card that was changed at the provider shows it here within seconds. */
const INTERVAL_MS = 1_000
/** Cards that are read in one run. */
const CARDS_MAX = 20
/** Longer than a call to the provider may take. A process that dies keeps a card no longer than this. */
const READ_MAX_MS = 60_000
/** A run ends after so many cards that cannot be read: while the provider does not answer, each of them takes as long as a call may take. */
const FAILURES_MAX = 3

/** The id of the last card that a run tried. The next run goes on after it, so that cards that cannot be read do not block the others. */
export interface Place {
  after: string
}

export function staleCardJob(deps: KernelDeps): Job {
  const place: Place = { after: '' }
  return { name: 'changed cards', intervalMs: INTERVAL_MS, run: () => readStaleCards(deps, place) }
}

/** Returns true if there may be more. Throws the first error after it has tried the other cards. */
export async function readStaleCards(deps: KernelDeps, place: Place = { after: '' }): Promise<boolean> {
  const cards = await listStaleCards(deps.db, place.after, CARDS_MAX)
  const failures: Error[] = []
  for (const card of cards) {
    place.after = card.id
    await readCard(deps, card).catch((error: Error) => void failures.push(error))
    if (failures.length === FAILURES_MAX) break
  }
  const isMore = cards.length === CARDS_MAX || failures.length === FAILURES_MAX
  if (!isMore) place.after = ''
  const [failure] = failures
  if (failure !== undefined) throw failure
  return isMore
}

/** Takes the status of the card like a request does, so that a change that the server asked for is not taken for somebody else's. */
async function readCard({ db, transact, clock, provider }: KernelDeps, card: StaleCardRow): Promise<void> {
  const now = clock.now()
  const reader = newId(now)
  const expiresAt = new Date(now.getTime() + READ_MAX_MS)
  if (!(await takeSubjects(db, reader, [statusSubject(card.id)], { now, expiresAt }))) return
  try {
    const { status, amount, mode } = await provider.readCard(toObject(card))
    await transact(async (tx) => {
      // A change that the server asked for may have ended since the card was listed.
      if (status === (await clearStale(tx, card))) return
      await updateCardStatus(tx, card.id, status)
      const id = `changed_${newId(now).replaceAll('-', '')}`
      // A limit does not say what is left of it. Without a balance the server returns the one that it knows. Of a card in debt nothing is left.
      const left = amount > 0n ? amount : 0n
      const balance = status === 'closed' && mode === 'balance' ? { balance: formatCents(left) } : {}
      const event: CardStatusChanged = {
        id,
        type: 'card.status',
        createdAt: now.toISOString(),
        companyId: formatId('co', card.company_id),
        data: { cardId: card.id, status, ...balance },
      }
      await insertEvent(tx, { id, body: JSON.stringify(event), at: now })
    })
  } finally {
    await deleteSubjects(db, reader)
  }
}

function toObject({ id, provider_id: providerId, facts }: StaleCardRow): ProviderObject {
  return { kind: 'card', id, providerId, facts }
}
