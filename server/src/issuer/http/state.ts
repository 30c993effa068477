// Asks a live issuer how it stands.
import { createCheck } from '../../http/validate.ts'
import { exchange, type Peer } from './exchange.ts'
import { IssuerState, STATE_PATH } from './state-schema.ts'

const isState = createCheck(IssuerState)
const NOT_FOUND = 404

/** Returns `not_offered` if the issuer does not say that, and undefined if it does not answer. */
export async function readState(peer: Peer): Promise<IssuerState | 'not_offered' | undefined> {
  const exchanged = await exchange(peer, 'request', { method: 'GET', path: STATE_PATH })
  if ('status' in exchanged && exchanged.status === NOT_FOUND) return 'not_offered'
  if (exchanged.kind !== 'answered' || exchanged.status !== 200) return undefined
  try {
    const state: unknown = JSON.parse(exchanged.body)
    return isState(state) ? state : undefined
  } catch {
    return undefined
  }
}
