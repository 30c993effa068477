// What the objects of audit records are called now, so that a reader of a page needs no other request to translate ids. Each kind of
// object on a page is read with one statement. Nothing is kept with the record: who was erased or renamed is so here too.
import { cardChangeTitle, type EntrySubject, operationTitle } from '../../cards/title.ts'
import type { Permission } from '../../access/permissions.ts'
import type { Db } from '../../db/pool.ts'
import { findId, formatId, type Prefix } from '../../lib/ids.ts'
import { formatCents } from '../../lib/money.ts'
import { formatShortMicros } from '../../tron/usdt.ts'
import * as queries from './queries.ts'
import type { Wanted } from './queries.ts'

export interface ObjectNamed {
  object_name?: string
}

export interface NameDeps {
  db: Db
  /** Finds a product by its id. The catalogue in memory does. */
  catalog: { find(id: string): { readonly name: string } | undefined }
}

/** Who reads: an operator, or somebody of a company with these permissions. */
type Reader = 'operator' | ReadonlySet<Permission>

interface Record {
  readonly company_id: string | null
  readonly object: string | null
}

interface Named {
  readonly company_id: string
  readonly id: string
  readonly name: string | undefined
}

interface Kind {
  readonly prefix: Prefix
  /** What a role needs to see the name. Every role that reads the log may read what has none here. */
  readonly needs?: Permission
  readonly read: (deps: NameDeps, wanted: readonly Wanted[]) => Promise<Named[]>
}

/** Makes the rows of a statement into names. */
function kind<Row extends { company_id: string; id: string }>(
  prefix: Prefix,
  read: (db: Db, wanted: readonly Wanted[]) => Promise<Row[]>,
  nameOf: (row: Row, deps: NameDeps) => string | undefined,
  needs?: Permission,
): Kind {
  return {
    prefix,
    ...(needs === undefined ? {} : { needs }),
    read: async (deps, wanted) =>
      (await read(deps.db, wanted)).map((row) => ({
        company_id: row.company_id,
        id: row.id,
        name: nameOf(row, deps),
      })),
  }
}

const itsName = ({ name }: { name: string }) => name

const KINDS: readonly Kind[] = [
  kind('co', queries.nameCompanies, itsName),
  kind('hld', queries.nameHolders, itsName),
  kind('card', queries.nameCards, ({ name, last4 }) => `${name} ·· ${last4}`),
  kind('chg', queries.nameCardChanges, (row) => cardChangeTitle(row.wanted, subjectOf(row))),
  kind('op', queries.nameOperations, (row, { catalog }) => {
    const { type, product_id: productId, recipient } = row
    const product = catalog.find(productId)
    return operationTitle({
      type,
      ...subjectOf(row),
      ...(product && { product: { id: productId, name: product.name } }),
      ...(recipient !== null && { recipient }),
    })
  }),
  kind('txn', queries.nameTransactions, ({ merchant }) => merchant),
  kind('inv', queries.nameInvoices, ({ requested }) => `Invoice for ${formatCents(requested)} USD`),
  kind('rev', queries.namePaymentReviews, ({ amount }) => `Late payment of ${formatShortMicros(amount)} USDT`),
  kind('we', queries.nameEndpoints, ({ url }) => new URL(url).host, 'webhooks:read'),
  kind('key', queries.nameKeys, itsName, 'keys:read'),
  kind('invt', queries.nameInvitations, ({ email }) => email),
  kind('per', queries.nameMembers, itsName),
]

/** The kinds of objects that belong to no company, or to more than one. */
const OF_PROGRAMME: readonly Prefix[] = ['per', 'ses', 'invt', 'key']

/** Returns the records with what their objects are called. An object that is gone, or never had a name, has none. */
export async function withObjectNames<Row extends Record>(
  deps: NameDeps,
  reader: Reader,
  rows: readonly Row[],
): Promise<(Row & ObjectNamed)[]> {
  const found = await Promise.all([
    ...KINDS.map((one) => namesOfKind(deps, reader, one, rows)),
    reader === 'operator' ? namesOfProgramme(deps.db, rows) : [],
  ])
  const names = new Map(found.flat())
  return rows.map((row) => {
    const name = names.get(keyOf(row)) ?? names.get(row.object) ?? productName(deps, row)
    return name === undefined ? row : { ...row, object_name: name }
  })
}

type Entries = (readonly [string | null, string])[]

/** An id names an object only of the record's own company: somebody may have tried the id of another. */
const keyOf = ({ company_id: companyId, object }: Record) => `${companyId} ${object}`

async function namesOfKind(deps: NameDeps, reader: Reader, one: Kind, rows: readonly Record[]): Promise<Entries> {
  const { prefix, needs, read } = one
  if (reader !== 'operator' && needs !== undefined && !reader.has(needs)) return []
  const wanted = new Map(
    rows.flatMap((row): [string, Wanted][] => {
      const id = row.object === null ? undefined : findId(prefix, row.object)
      return id === undefined || row.company_id === null ? [] : [[keyOf(row), { companyId: row.company_id, id }]]
    }),
  )
  if (wanted.size === 0) return []
  return (await read(deps, [...wanted.values()])).flatMap(({ company_id, id, name }) =>
    name === undefined ? [] : [[keyOf({ company_id, object: formatId(prefix, id) }), name] as const],
  )
}

async function namesOfProgramme(db: Db, rows: readonly Record[]): Promise<Entries> {
  const objects = new Map(
    rows.flatMap(({ object }) =>
      OF_PROGRAMME.flatMap((prefix): [string, string][] => {
        const id = object === null ? undefined : findId(prefix, object)
        return id === undefined || object === null ? [] : [[id, object]]
      }),
    ),
  )
  if (objects.size === 0) return []
  const found = await queries.nameOfProgramme(db, [...objects.keys()])
  return found.flatMap(({ id, name }) => {
    const object = objects.get(id)
    return object === undefined ? [] : [[object, name] as const]
  })
}

/** Products belong to everybody. */
function productName({ catalog }: NameDeps, { object }: Record): string | undefined {
  return object?.startsWith('prod_') === true ? catalog.find(object)?.name : undefined
}

function subjectOf(row: queries.CardFound): Pick<EntrySubject, 'card' | 'holder'> {
  const { card_id: cardId, card_name: name, last4, holder_id: holderId, holder_name: holderName } = row
  return {
    ...(cardId !== null && name !== null && last4 !== null && { card: { id: formatId('card', cardId), name, last4 } }),
    ...(holderId !== null && holderName !== null && { holder: { id: formatId('hld', holderId), name: holderName } }),
  }
}
