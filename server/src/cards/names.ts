// What lists call a card and its holder, so that a reader of a page needs no other request to translate ids. The names are those of
// now, read with one statement for all rows of a page.
import type { Db } from '../db/pool.ts'
import { formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import { listCardNames } from './queries.ts'
import type { CardNames } from './schema.ts'

/** Returns a function from a card's id to what it and its holder are called. An unknown card has no names. */
export async function findCardNames(
  db: Db,
  scope: Scope,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => CardNames> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  const rows = wanted.length === 0 ? [] : await listCardNames(db, scope, wanted)
  const names = new Map(
    rows.map((row): [string, CardNames] => [
      row.id,
      {
        card: { id: formatId('card', row.id), name: row.name, last4: row.last4 },
        holder: { id: formatId('hld', row.holder_id), name: row.holder_name },
      },
    ]),
  )
  return (id) => (id === null ? {} : (names.get(id) ?? {}))
}

interface Things extends CardNames {
  product?: { id: string; name: string }
}

/** Returns what each thing is called, by its id. A card is called by its label and its last four digits. */
export function namesById({ card, holder, product }: Things): Record<string, string> {
  return Object.fromEntries(
    [card && { ...card, name: `${card.name} ·· ${card.last4}` }, holder, product].flatMap((thing) =>
      thing === undefined ? [] : [[thing.id, thing.name] as const],
    ),
  )
}

/** Returns the rows with what their card and its holder are called. */
export async function withCardNames<Row extends { card_id: string }>(
  db: Db,
  scope: Scope,
  rows: readonly Row[],
): Promise<(Row & { names: CardNames })[]> {
  const namesOf = await findCardNames(
    db,
    scope,
    rows.map((row) => row.card_id),
  )
  return rows.map((row) => ({ ...row, names: namesOf(row.card_id) }))
}

/** Returns cards with what their holders are called. */
export async function withHolder<Row extends { id: string }>(db: Db, scope: Scope, cards: readonly Row[]) {
  const namesOf = await findCardNames(
    db,
    scope,
    cards.map(({ id }) => id),
  )
  return cards.map((card) => ({ ...card, names: namesOf(card.id) }))
}
