// Card changes as requests to an issuer: how one is sent, looked up, settled and described. The request that records a change sends
// it, and nobody sends it again.
import type { WantedStatus } from '../cards/states.ts'
import type { Db } from '../db/pool.ts'
import type { Asked } from '../issuer/exchanges.ts'
import type { IssuerOutcome, LookUpOutcome } from '../issuer/port.ts'
import { scopeOf } from '../issuer/requests/ask.ts'
import type { RequestKind, RequestRow } from '../issuer/requests/kind.ts'
import { type CardChangeSettlement, listClaimedCardChanges, settleCardChange } from './queries.ts'
import { settlementOf } from './rules.ts'

/** The longest that a caller waits for the issuer. After that the worker looks the outcome up. */
const WAIT_MAX_MS = 12_000

/** What is needed to ask for a change. */
export interface AskedChange extends RequestRow {
  readonly card_id: string
  readonly wanted: WantedStatus
}

export function cardChangeKind({
  db,
}: {
  db: Db
}): RequestKind<AskedChange, IssuerOutcome | LookUpOutcome, CardChangeSettlement> {
  return {
    callKinds: ['card_status'],
    subjectOf: ({ look_up_count }, purpose) =>
      purpose === 'request'
        ? { action: 'card_status', attempt: 1 }
        : { action: 'look_up_card_status', attempt: look_up_count + 1 },
    send: (issuer, row) =>
      issuer.setCardStatus({ scope: scopeOf(row), token: row.id, cardId: row.card_id, status: row.wanted }),
    listClaimed: (environment, claimed) => listClaimedCardChanges(db, environment, claimed),
    lookUp: (issuer, row, isLast) => issuer.lookUp({ scope: scopeOf(row), token: row.id, kind: 'card_status', isLast }),
    waitMaxMs: WAIT_MAX_MS,
    decide: settlementOf,
    // Changes are few, so every answer is kept.
    isKept: () => true,
    fromKept: (answer) => answer,
    settle: async (row, settlement, now) => {
      await settleCardChange(db, scopeOf(row), row.id, now, settlement)
    },
    describe: askedOf,
    aboutOf: (cardChangeId) => ({ cardChangeId }),
  }
}

export function askedOf(change: Pick<AskedChange, 'id' | 'card_id' | 'wanted'>): Asked {
  return { prefix: 'chg', id: change.id, cardId: change.card_id, status: change.wanted }
}
