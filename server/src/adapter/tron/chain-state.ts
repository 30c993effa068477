// How the deposits on TRON stand, for the operator of the server.
import type { Db } from '../../db/pool.ts'
import type { ChainState } from '../../issuer/http/state-schema.ts'
import { formatMicros, micros } from '../../tron/usdt.ts'
import { sumBooks } from './queries.ts'
import type { WalkState } from './state.ts'

export async function readChainState(db: Db, network: string, walk: WalkState): Promise<ChainState> {
  const sums = await sumBooks(db)
  const received = BigInt(sums?.received ?? 0)
  const { condition } = walk
  return {
    network,
    isCrediting: condition.kind === 'at_head' || condition.kind === 'catching_up',
    message: walk.message,
    height: walk.cursor?.height ?? null,
    blockTime: walk.cursor?.time.toISOString() ?? null,
    lag: walk.lag ?? null,
    agreement: walk.agreement,
    nodes: walk.nodes.map(({ name, solidHead, lastError }) => ({
      name,
      solidHead: solidHead ?? null,
      lastError: lastError?.reason.slice(0, REASON_LENGTH_MAX) ?? null,
    })),
    transfersOpen: sums?.open ?? 0,
    received: formatMicros(micros(received > 0n ? received : 0n)),
  }
}

/** What the protocol allows for a text. */
const REASON_LENGTH_MAX = 500
