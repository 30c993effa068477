// How the issuer stands at this moment, put together from the parts that run in this process.
import type { Db } from '../db/pool.ts'
import type { CardsState, ChainState, IssuerState } from '../issuer/http/state-schema.ts'
import { countEvents } from './outbox/queries.ts'

export interface StateDeps {
  readonly db: Db
  /** Undefined without a card provider. */
  readonly cardsState?: (() => Promise<CardsState>) | undefined
  /** Undefined without a chain. */
  readonly depositsState?: (() => Promise<ChainState>) | undefined
}

export async function readState({ db, cardsState, depositsState }: StateDeps): Promise<IssuerState> {
  const events = await countEvents(db)
  return {
    cards: (await cardsState?.()) ?? null,
    deposits: (await depositsState?.()) ?? null,
    eventsWaiting: events?.waiting ?? 0,
    eventsRefused: events?.refused ?? 0,
  }
}
