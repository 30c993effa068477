// Asks a live issuer for a page that shows the number of a card.
import { createCheck } from '../../http/validate.ts'
import { exchange, type Peer } from './exchange.ts'
import { NumberPage } from './protocol.ts'

const isPage = createCheck(NumberPage)
const NOT_FOUND = 404

/** Returns `not_offered` if the issuer has no such page, and undefined if it does not answer. */
export async function readNumberPage(
  peer: Peer,
  { cardId, companyId }: { readonly cardId: string; readonly companyId: string },
): Promise<NumberPage | 'not_offered' | undefined> {
  const path = `/v1/cards/${cardId}/number-page`
  const exchanged = await exchange(peer, 'request', { method: 'POST', path, body: { companyId } })
  if ('status' in exchanged && exchanged.status === NOT_FOUND) return 'not_offered'
  if (exchanged.kind !== 'answered' || exchanged.status !== 200) return undefined
  try {
    const page: unknown = JSON.parse(exchanged.body)
    return isPage(page) ? page : undefined
  } catch {
    return undefined
  }
}
