// What the API calls the card, the holder and the product of an operation. It reads the names of a whole page with at most two
// statements. Events do not have them: an event never changes, and names do.
import { findCardNames } from '../cards/names.ts'
import { operationTitle } from '../cards/title.ts'
import type { Db } from '../db/pool.ts'
import { listHolderNames } from '../holders/queries.ts'
import { formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import type { OperationRow } from './queries.ts'
import type { OperationNames } from './schema.ts'

export interface NameDeps {
  db: Db
  /** Finds a product by its id. The catalogue in memory does. */
  catalog: { find(id: string): { readonly name: string } | undefined }
}

type Named = Pick<OperationRow, 'type' | 'card_id' | 'holder_id' | 'product_id' | 'recipient'>

/** Returns the rows with their names. An issue that has made no card yet names its holder only. */
export async function withNames<Row extends Named>(
  { db, catalog }: NameDeps,
  scope: Scope,
  rows: readonly Row[],
): Promise<(Row & { names: OperationNames })[]> {
  const cardless = rows.flatMap((row) => (row.card_id === null && row.holder_id !== null ? [row.holder_id] : []))
  const [namesOf, holders] = await Promise.all([
    findCardNames(
      db,
      scope,
      rows.map((row) => row.card_id),
    ),
    cardless.length === 0 ? [] : listHolderNames(db, scope, [...new Set(cardless)]),
  ])
  const holderNames = new Map(holders.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    names: withTitle(row, {
      ...namesOf(row.card_id),
      ...holderOf(row, holderNames),
      ...productOf(row, catalog),
      ...(row.recipient === null ? {} : { recipient: row.recipient }),
    }),
  }))
}

function withTitle({ type }: Named, names: OperationNames): OperationNames {
  const title = operationTitle({ type, ...names })
  return title === undefined ? names : { ...names, title }
}

function holderOf({ holder_id: id }: Named, names: ReadonlyMap<string, string>): OperationNames {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? {} : { holder: { id: formatId('hld', id), name } }
}

function productOf({ product_id: id }: Named, catalog: NameDeps['catalog']): OperationNames {
  const product = catalog.find(id)
  return product === undefined ? {} : { product: { id, name: product.name } }
}
