// Reads the payments themselves when the adapter was stopped for so long that Stripe no longer has all events. The lists of authorizations,
// transactions and cards go back to the beginning.
import type { ProviderEvent } from '../../provider.ts'
import { parseCard } from './answers.ts'
import { CARDS_PATH } from './cards.ts'
import type { Kit } from './kit.ts'
import { type List, readList } from './pages.ts'
import { AUTHORIZATIONS_PATH, TRANSACTIONS_PATH } from './spent.ts'
import {
  type Authorization,
  CAPTURES_SETTLE_S,
  eventsOfAuthorization,
  eventsOfTransaction,
  isEarly,
  parseAuthorization,
  parseTransaction,
  toTime,
} from './transactions.ts'

/** Pages of each of Stripe's lists when events are too old: a million payments. */
const PAGES_MAX = 10_000
/** An authorization at Stripe can be open for 31 days, so those that were made this long before are read too. */
const AUTHORIZATION_S_MAX = 35 * 86_400

/** Returns what is there of everything that was made or may have changed since a time, in seconds. */
export async function catchUp(kit: Kit, begin: number): Promise<ProviderEvent[]> {
  const query = { 'created[gte]': begin }
  const transactions = await readAll(kit, { path: TRANSACTIONS_PATH, parse: parseTransaction, query })
  const authorizations = await readAll(kit, {
    path: AUTHORIZATIONS_PATH,
    parse: parseAuthorization,
    query: { 'created[gte]': begin - AUTHORIZATION_S_MAX },
  })
  const listed = new Set(authorizations.map(({ id }) => id))
  const cards = await readAll(kit, { path: CARDS_PATH, parse: parseCard, query: {} })
  const now = kit.settings.clock.now().getTime()
  // What is early comes with its events, which the next polls read.
  const settledBy = Math.floor(now / 1000) - CAPTURES_SETTLE_S
  const missing = [
    ...new Set(transactions.flatMap(({ authorization: id }) => (id === undefined || listed.has(id) ? [] : [id]))),
  ]
  const older: Authorization[] = []
  for (const id of missing) older.push(await readAuthorization(kit, id))
  return [
    ...[...older, ...authorizations]
      .filter((one) => !isEarly(one, settledBy))
      .flatMap((one) => eventsOfAuthorization(one, Math.floor(now / 1000))),
    ...transactions.filter(({ authorization }) => authorization === undefined).flatMap(eventsOfTransaction),
    ...cards.map(({ id }) => ({
      kind: 'card_status' as const,
      id: `${id}:${now}`,
      providerCardId: id,
      createdAt: toTime(Math.floor(now / 1000)),
    })),
  ]
}

async function readAll<Item extends { readonly id: string }>(
  { api }: Kit,
  list: Omit<List<Item>, 'pagesMax'>,
): Promise<Item[]> {
  const read = await readList(api, { ...list, pagesMax: PAGES_MAX })
  if (read.kind === 'read') return read.value.toReversed()
  throw new Error(`What happened at Stripe cannot be read: ${read.reason}`)
}

async function readAuthorization({ api }: Kit, id: string) {
  const read = await api.read(`${AUTHORIZATIONS_PATH}/${encodeURIComponent(id)}`, parseAuthorization)
  if (read.kind === 'read') return read.value
  throw new Error(`The payment ${id} cannot be read at Stripe: ${read.reason}`)
}
