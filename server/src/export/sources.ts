// What an export contains: every list that the company or its operator can read, as the API shows it. Secrets are in none of them.
import { listKeys } from '../keys/queries.ts'
import { listAudit } from '../audit-log/queries.ts'
import { idOfSeal, toSeal } from '../ledger/operator-routes.ts'
import { toAuditEntry } from '../audit-log/schema.ts'
import { toKey } from '../keys/schema.ts'
import { withCardNames, withHolder } from '../cards/names.ts'
import { listCards } from '../cards/lists/queries.ts'
import { toCard } from '../cards/schema.ts'
import { listProducts } from '../catalog/queries.ts'
import type { Db } from '../db/pool.ts'
import { listEvents } from '../events/queries.ts'
import { toEnvelope } from '../events/render.ts'
import { listInvoices } from '../funding/lists/queries.ts'
import { toInvoice } from '../funding/schema.ts'
import { listHolders } from '../holders/lists/queries.ts'
import { toHolder } from '../holders/schema.ts'
import { type ArchiveRow, listArchives, listSeals } from '../ledger/queries.ts'
import { LATEST_TIME, NEWEST_ID, type Slice } from '../lib/slice.ts'
import { formatCents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { listOperations } from '../operations/lists/queries.ts'
import { withNames } from '../operations/names.ts'
import { toOperation } from '../operations/schema.ts'
import { listMembers } from '../people/team/queries.ts'
import { toPerson } from '../people/team/schema.ts'
import { idOfNumber, numberOfId, toNamedEntry } from '../card-account/entry-rows.ts'
import { withSubjects } from '../card-account/names.ts'
import { listEntries } from '../card-account/queries.ts'
import { listTransactions } from '../transactions/queries.ts'
import { toTransaction } from '../transactions/schema.ts'
import { listEndpoints } from '../webhooks/queries.ts'
import { toEndpoint } from '../webhooks/schema.ts'

export interface Source {
  readonly object: string
  /** Yields one page of objects after the other, newest first. */
  read(): AsyncGenerator<unknown[]>
}

/** At most a few hundred kilobytes are in memory, however much a company has. */
const PAGE_ROWS = 1_000

interface List<Row> {
  fetch(slice: Slice): Promise<Row[]>
  idOf(row: Row): string
  /** For a list that is ordered by a time first. */
  timeOf?(row: Row): Date
  toWire(row: Row): unknown
}

function source<Row>(object: string, { fetch, idOf, timeOf = () => LATEST_TIME, toWire }: List<Row>): Source {
  async function* read(): AsyncGenerator<unknown[]> {
    let slice: Slice = { after: NEWEST_ID, afterTime: LATEST_TIME, limit: PAGE_ROWS }
    for (;;) {
      const rows = await fetch(slice)
      yield rows.map(toWire)
      const last = rows.at(-1)
      if (last === undefined || rows.length < PAGE_ROWS) return
      slice = { ...slice, after: idOf(last), afterTime: timeOf(last) }
    }
  }
  return { object, read }
}

/** What belongs to the company as a whole. */
export function companySources(db: Db, companyId: string): Source[] {
  return [
    source('person', { fetch: (slice) => listMembers(db, companyId, slice), idOf: ({ id }) => id, toWire: toPerson }),
    source('key', { fetch: (slice) => listKeys(db, companyId, slice), idOf: ({ id }) => id, toWire: toKey }),
    source('audit_entry', {
      fetch: (slice) => listAudit(db, { companyId, object: null, actorId: null }, slice),
      idOf: ({ id }) => id,
      toWire: toAuditEntry,
    }),
  ]
}

/** What belongs to one of its environments. */
export function scopeSources(db: Db, scope: Scope): Source[] {
  return [...cardSources(db, scope), ...accountSources(db, scope), ...eventSources(db, scope)]
}

const EVERYTHING = { from: null, until: null }
const EVERY_CARD = { status: undefined, holderId: undefined, productId: undefined }
const EVERY_OPERATION = {
  ...EVERYTHING,
  type: undefined,
  status: undefined,
  cardId: undefined,
  idempotencyKey: undefined,
}
const EVERY_TRANSACTION = { ...EVERYTHING, cardId: undefined, type: undefined, status: undefined }
const EVERY_ENTRY = { ...EVERYTHING, kind: undefined, reference: undefined }

function cardSources(db: Db, scope: Scope): Source[] {
  return [
    source('holder', { fetch: (slice) => listHolders(db, scope, {}, slice), idOf: ({ id }) => id, toWire: toHolder }),
    source('card', {
      fetch: async (slice) => withHolder(db, scope, await listCards(db, scope, EVERY_CARD, slice)),
      idOf: ({ id }) => id,
      toWire: toCard,
    }),
    source('operation', {
      fetch: async (slice) => {
        const products = new Map((await listProducts(db)).map(({ id, name }) => [id, { name }]))
        const catalog = { find: (id: string) => products.get(id) }
        return withNames({ db, catalog }, scope, await listOperations(db, scope, EVERY_OPERATION, slice))
      },
      idOf: ({ id }) => id,
      toWire: toOperation,
    }),
    source('transaction', {
      fetch: async (slice) => withCardNames(db, scope, await listTransactions(db, scope, EVERY_TRANSACTION, slice)),
      idOf: ({ id }) => id,
      timeOf: (row) => row.occurred_at,
      toWire: toTransaction,
    }),
  ]
}

function accountSources(db: Db, scope: Scope): Source[] {
  return [
    source('invoice', {
      fetch: (slice) => listInvoices(db, scope, {}, slice),
      idOf: ({ id }) => id,
      // A link to pay is a secret: whoever has it sees the invoice.
      toWire: (row) => ({ ...toInvoice(row, ''), payUrl: undefined }),
    }),
    source('entry', {
      fetch: async ({ after, limit }) =>
        withSubjects(db, scope, await listEntries(db, scope, EVERY_ENTRY, { below: numberOfId(after), limit })),
      idOf: (row) => idOfNumber(row.number),
      toWire: toNamedEntry(scope),
    }),
    source('seal', {
      fetch: (slice) => listSeals(db, scope, slice),
      idOf: idOfSeal,
      timeOf: (row) => row.sealed_at,
      toWire: toSeal,
    }),
    source('entry_archive', {
      fetch: ({ after, limit }) => listArchives(db, scope, { below: numberOfId(after), limit }),
      idOf: (row) => idOfNumber(row.number),
      toWire: toArchive,
    }),
  ]
}

/** The entries themselves are in the file, which the operator keeps. */
function toArchive(row: ArchiveRow) {
  return {
    file: row.file_name,
    sha256: row.file_digest.toString('hex'),
    lastNumber: Number(row.number),
    hash: row.hash.toString('hex'),
    balance: formatCents(row.balance),
    held: formatCents(row.held),
    lastEntryAt: row.last_at.toISOString(),
    archivedAt: row.archived_at.toISOString(),
  }
}

function eventSources(db: Db, scope: Scope): Source[] {
  return [
    source('event', {
      fetch: (slice) => listEvents(db, scope, { type: undefined, from: new Date(0), until: null }, slice),
      idOf: ({ id }) => id,
      toWire: (row) => toEnvelope(row, toOperation),
    }),
    source('webhook_endpoint', {
      fetch: (slice) => listEndpoints(db, scope, slice),
      idOf: ({ id }) => id,
      toWire: toEndpoint,
    }),
  ]
}
