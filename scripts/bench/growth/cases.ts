// What is measured: the statements that must cost the same however long the history is.
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/db/pool.ts'
import { sql } from '../../../server/src/db/sql.ts'
import { listEvents, pruneEvents } from '../../../server/src/events/queries.ts'
import type { Settlement } from '../../../server/src/ledger/items.ts'
import { acceptOperations, settleOperations } from '../../../server/src/ledger/queries.ts'
import { firstIdAt, newId } from '../../../server/src/lib/ids.ts'
import { cents } from '../../../server/src/lib/money.ts'
import { LATEST_TIME, NEWEST_ID, type Slice } from '../../../server/src/lib/slice.ts'
import { listOperations, type OperationFilter } from '../../../server/src/operations/lists/queries.ts'
import { claimOperations, type ClaimedOperation } from '../../../server/src/operations/queries.ts'
import { createTurns } from '../../../server/src/operations/turns.ts'
import { type EntryFilter, findStatement, listDays, listEntries } from '../../../server/src/card-account/queries.ts'
import {
  type AttemptRecord,
  claimQueues,
  listEndpointAttempts,
  recordAttempts,
  type TakenRow,
  takeDeliveries,
} from '../../../server/src/webhooks/queries.ts'
import { FIRST_CARD, type History, idOf, timeOf } from './history.ts'

export interface Case {
  readonly name: string
  run(): Promise<unknown>
}

const BATCH = 100
const DAY_MS = 86_400_000
const LEASE_MS = 600_000
const NO_FILTER = {
  type: undefined,
  status: undefined,
  cardId: undefined,
  from: null,
  until: null,
  idempotencyKey: undefined,
}

/** `db` carries out what a case needs beforehand; `counted` is measured. */
export function listCases(db: Db, counted: Db, history: History): Case[] {
  return [...readCases(counted, history), ...workCases(db, counted, history), ...deliveryCases(db, counted, history)]
}

const FIRST_PAGE = { after: NEWEST_ID, afterTime: LATEST_TIME, limit: 51 }

function readCases(counted: Db, history: History): Case[] {
  return [...objectCases(counted, history), ...entryCases(counted, history)]
}

function objectCases(counted: Db, history: History): Case[] {
  const { scope, endpointId } = history
  const operations = (filter: Partial<OperationFilter>, slice: Partial<Slice> = {}) =>
    listOperations(counted, scope, { ...NO_FILTER, ...filter }, { ...FIRST_PAGE, ...slice })
  const events = (type: string | undefined, limit: number) =>
    listEvents(counted, scope, { type, from: new Date(0), until: null }, { after: NEWEST_ID, limit })
  const after = firstIdAt(timeOf(history, history.operations / 2))
  return [
    { name: 'operations, first page', run: () => operations({}) },
    { name: 'operations, a page in the middle', run: () => operations({}, { after }) },
    { name: 'operations that failed', run: () => operations({ status: 'failed' }, { limit: 4 }) },
    { name: 'operations in review (none)', run: () => operations({ status: 'manual_review' }) },
    { name: 'operations of a card', run: () => operations({ cardId: FIRST_CARD }, { limit: 1 }) },
    { name: 'events, first page', run: () => events(undefined, 51) },
    { name: 'events of a rare type', run: () => events('invoice.expired', 4) },
    { name: 'events of a type that never occurred', run: () => events('api_key.expiring', 51) },
    {
      name: 'attempts at an endpoint, first page',
      run: () => listEndpointAttempts(counted, scope, endpointId, FIRST_PAGE),
    },
  ]
}

function entryCases(counted: Db, history: History): Case[] {
  const { scope } = history
  const day = new Date(Math.floor(timeOf(history, history.operations / 2).getTime() / DAY_MS) * DAY_MS)
  const entries = (filter: Partial<EntryFilter>) => {
    const all = { from: null, until: null, kind: undefined, reference: undefined, ...filter }
    return listEntries(counted, scope, all, { below: 2n ** 62n, limit: 51 })
  }
  return [
    { name: 'entries, first page', run: () => entries({}) },
    { name: 'entries of a rare kind (deposits)', run: () => entries({ kind: 'deposit' }) },
    {
      name: 'entries of an operation',
      run: () => entries({ reference: idOf(history, history.operations >> 1) }),
    },
    {
      name: 'statement of one day with 9,600 entries',
      run: () => findStatement(counted, scope, { from: day, until: new Date(day.getTime() + DAY_MS) }, 10_000),
    },
    {
      name: 'balance at the end of 30 days',
      run: () => listDays(counted, scope, new Date(day.getTime() - 15 * DAY_MS), 30),
    },
  ]
}

function workCases(db: Db, counted: Db, { scope }: History): Case[] {
  const accept = async (target: Db) => {
    const now = new Date()
    const items = Array.from({ length: BATCH }, () => ({
      id: newId(now),
      candidate: {
        scope,
        type: 'service' as const,
        productId: 'prod_service_esim',
        amount: cents(1000n),
        fee: cents(50n),
        holderId: null,
        cardId: null,
        name: null,
        recipient: 'ada@example.com',
        idempotencyKey: randomUUID(),
        digest: '00',
        issuanceQuota: null,
      },
    }))
    await acceptOperations(target, now, items)
  }
  const claim = (target: Db): Promise<ClaimedOperation[]> => {
    const now = new Date()
    const leaseUntil = new Date(now.getTime() + LEASE_MS)
    return claimOperations(target, { environment: 'sandbox', now, leaseUntil, limit: BATCH }, createTurns().next(BATCH))
  }
  const settle = async (rows: readonly ClaimedOperation[]) => {
    const items = rows.map(({ id }): Settlement => ({ scope, id, status: 'completed', receipt: `rcpt_${id}` }))
    await settleOperations(counted, new Date(), items)
  }
  return [
    { name: `accept ${BATCH} operations`, run: () => accept(counted) },
    {
      name: `claim ${BATCH} operations`,
      async run() {
        await accept(db)
        await claim(counted)
      },
    },
    {
      name: `settle ${BATCH} operations`,
      async run() {
        await accept(db)
        await settle(await claim(db))
      },
    },
  ]
}

/** The operations of the other cases have made the deliveries. */
function deliveryCases(db: Db, counted: Db, { scope, endpointId, start }: History): Case[] {
  const workerId = newId(new Date())
  const queue = { company_id: scope.companyId, environment: scope.environment, endpoint_id: endpointId }
  const requests = [{ queue, size: 64 }]
  return [
    {
      name: 'claim delivery queues',
      async run() {
        await db.run(sql`
          update delivery_queue set due_at = ${start}, not_before = ${start}
          where company_id = ${scope.companyId} and environment = ${scope.environment} and endpoint_id = ${endpointId}`)
        await claimQueues(counted, new Date(), new Date(Date.now() + LEASE_MS), workerId, false)
      },
    },
    { name: 'take 64 deliveries', run: () => takeDeliveries(counted, new Date(), workerId, requests) },
    {
      name: 'record 64 attempts',
      async run() {
        const now = new Date()
        const attempts = (await takeDeliveries(db, now, workerId, requests)).map((row) => toRecord(row, now))
        const round = { queue, attempts, until: null, hasSucceeded: true, failures: 0 }
        await recordAttempts(counted, now, workerId, start, [round])
      },
    },
    // Nothing is older, so that the history stays as it is.
    { name: 'look for old events', run: () => pruneEvents(counted, queue, start) },
  ]
}

function toRecord({ id, attempt_count, resend_count }: TakenRow, now: Date): AttemptRecord {
  return {
    event_id: id,
    id: newId(now),
    number: attempt_count + 1,
    resend_count,
    status: 'delivered',
    status_code: 200,
    error: null,
    latency_ms: 1,
    response: null,
    started_at: now,
    due_at: null,
  }
}
