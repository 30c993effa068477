// How the cards at the provider stand, for the operator of the server.
import type { Db } from '../../../db/pool.ts'
import type { CardsState } from '../../../issuer/http/state-schema.ts'
import { formatCents } from '../../../lib/money.ts'
import type { KernelDeps } from '../carry-out.ts'
import { countStrays, findCursor } from '../objects/queries.ts'
import { countOpen, sumOwed } from './queries.ts'

/** The provider is asked for the float at most this often, however many people look. */
const FLOAT_AGE_MAX_MS = 60_000

/** All payments are added up for it, so a large book takes seconds. It is added up for at most a part of the time: one in this many. */
const OWED_PAUSE_FACTOR = 10

export function createCardsState({ db, clock, provider }: KernelDeps): () => Promise<CardsState> {
  const readOwed = createOwed(db)
  let float: { cents: bigint | undefined; at: Date } | undefined
  const readFloat = async () => {
    if (float !== undefined && clock.now().getTime() - float.at.getTime() < FLOAT_AGE_MAX_MS) return
    try {
      float = { cents: await provider.readFloat(), at: clock.now() }
    } catch {
      // What was read before is shown with its time.
    }
  }
  return async () => {
    await readFloat()
    const [open, cursor, strays, owed] = [
      await countOpen(db),
      await findCursor(db),
      await countStrays(db),
      await readOwed(),
    ]
    const known = float?.cents === undefined ? undefined : float
    return {
      provider: provider.about.provider,
      cardMode: provider.about.cardMode,
      requestsOpen: open?.open ?? 0,
      requestsWaiting: open?.waiting ?? 0,
      waitingSince: open?.oldest?.toISOString() ?? null,
      eventsReadAt: cursor?.read_at.toISOString() ?? null,
      lastEventAt: cursor?.event_at?.toISOString() ?? null,
      eventsOfUnknownCards: strays,
      owed: formatCents(owed),
      float: known?.cents === undefined ? null : formatCents(known.cents > 0n ? known.cents : 0n),
      floatReadAt: known?.at.toISOString() ?? null,
    }
  }
}

/** Small books are added up each time. */
function createOwed(db: Db): () => Promise<bigint> {
  let known: { cents: bigint; staleAtMs: number } | undefined
  return async () => {
    const startedMs = performance.now()
    if (known !== undefined && startedMs < known.staleAtMs) return known.cents
    const cents = await sumOwed(db)
    const endedMs = performance.now()
    known = { cents, staleAtMs: endedMs + (endedMs - startedMs) * OWED_PAUSE_FACTOR }
    return cents
  }
}
