// Reads the events of the provider and stores them for the server. The provider's list is the truth; its webhooks only wake this job, so a
// webhook that is forged, repeated, late or lost changes nothing.
import type { Db } from '../../../db/pool.ts'
import { findCents } from '../../../lib/money.ts'
import type { Job } from '../../../worker/loop.ts'
import type { ProviderEvent } from '../../provider.ts'
import type { KernelDeps } from '../carry-out.ts'
import { advanceCursor, findCardByProvider, findCursor, insertStray, markStale, upsertCardPayment } from './queries.ts'
import { insertTransaction } from './store.ts'

/** Payments appear within a few seconds without webhooks, at 17,280 calls a day. */
const INTERVAL_MS = 5_000

export interface PollDeps extends KernelDeps {
  /** Which provider, and whether it is its test or its live side. */
  readonly identity: string
}

export function pollJob(deps: PollDeps): Job {
  return { name: 'provider events', intervalMs: INTERVAL_MS, run: () => poll(deps) }
}

/** Reads one page. Returns true if there is more. */
export async function poll({ db, transact, clock, provider, identity }: PollDeps): Promise<boolean> {
  const before = await findCursor(db)
  const { events, cursor, isMore } = await provider.poll(before?.value)
  const now = clock.now()
  const newest = events
    .map(({ createdAt }) => createdAt)
    .toSorted()
    .at(-1)
  const isStored = await transact(async (tx) => {
    const eventAt = newest === undefined ? null : new Date(newest)
    const moved = await advanceCursor(tx, {
      provider: identity,
      before: before?.value ?? null,
      value: cursor,
      readAt: now,
      eventAt,
    })
    // Another process has read this page.
    if (moved === 0) return false
    for (const event of events) await store(tx, event, now)
    return true
  })
  return isMore && isStored
}

async function store(tx: Db, event: ProviderEvent, now: Date): Promise<void> {
  const { id, providerCardId, createdAt } = event
  if (event.kind === 'card_status') {
    await markStale(tx, providerCardId)
    return
  }
  const { transaction } = event
  const amount = centsOf(transaction.cardAmount ?? transaction.amount)
  const { transactionId: providerId, status } = transaction
  await upsertCardPayment(tx, { providerId, providerCardId, status, amount })
  const card = await findCardByProvider(tx, providerCardId)
  if (card === undefined) await insertStray(tx, { id, providerCardId, body: { transaction, createdAt }, now })
  else await insertTransaction(tx, { id, card, transaction, createdAt }, now)
}

function centsOf(text: string): bigint {
  const isDebit = text.startsWith('-')
  const amount = findCents(isDebit ? text.slice(1) : text)
  if (amount === undefined) throw new TypeError(`The provider's amount ${text} is not an amount.`)
  return isDebit ? 0n - amount : amount
}
