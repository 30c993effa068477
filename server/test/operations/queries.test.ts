// Lists and look-ups of operations: every filter, alone and with others, and rows of other accounts that look the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { must } from '../../src/lib/invariant.ts'
import { newId, ZERO_ID } from '../../src/lib/ids.ts'
import { cents } from '../../src/lib/money.ts'
import { LATEST_TIME, NEWEST_ID } from '../../src/lib/slice.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { listOperations, type OperationFilter } from '../../src/operations/lists/queries.ts'
import {
  findOperation,
  findOperationAnywhere,
  findOperationByKey,
  findOperationWithKey,
  listOperationsInReview,
  measureUnfinished,
  type OperationRow,
} from '../../src/operations/queries.ts'
import { Book, type BookCompany, completed, failed, issue, service, topup } from '../ledger/book.ts'

const COPIED = ['holder', 'card', 'operation', 'issuer_request', 'card_operation']
const STATUSES = ['queued', 'processing', 'manual_review', 'completed', 'failed'] as const
type Row = OperationRow & { idempotency_key: string; key_card: string | null }

const book = await Book.open()
let company: BookCompany
let scopes: Scope[]
/** The company's operations, the newest first. */
let all: Row[]
let cards: string[]

beforeAll(async () => {
  company = await book.addCompany(1_000_000n)
  cards = [await book.makeCard(company), await book.makeCard(company)]
  const kinds = [
    () => issue(company, { name: 'Travel' }),
    () => topup(company, must(cards[0])),
    () => topup(company, must(cards[1])),
    () => service(company),
  ]
  // One of each kind in each status, a minute apart.
  for (const status of STATUSES.toReversed()) {
    const ids: string[] = []
    for (const [index, kind] of kinds.entries()) {
      book.clock.advance(60_000)
      ids.push(await book.accept({ ...kind(), amount: cents(1_000n + BigInt(index)) }))
    }
    if (status !== 'queued') await book.claimAll()
    if (status === 'manual_review')
      await book.settleAll(ids.map((id) => ({ scope: company.scope, id, status: 'manual_review' })))
    if (status === 'failed') await book.settleAll(ids.map((id) => failed(company, id)))
    if (status === 'completed')
      await book.settleAll(ids.map((id, index) => completed(company, id, index === 0 ? 'issue' : 'service')))
  }
  const other = await book.addCompany()
  scopes = [company.scope, { ...company.scope, environment: 'live' }, other.scope]
  for (const scope of scopes.slice(1)) await copyTo(scope)
  all = await book.many<Row>(
    `select o.*, (select k.card_id from card_operation k where k.company_id = o.company_id and k.environment = o.environment
       and k.id = o.id) as key_card
     from operation o where company_id = $1 and environment = 'sandbox' order by id desc`,
    [company.scope.companyId],
  )
})
afterAll(() => book.close())

/** Gives another account rows with the same ids, which the server itself never makes. */
async function copyTo({ companyId, environment }: Scope): Promise<void> {
  for (const table of COPIED) {
    const columns = await book.many<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and column_name not in ('company_id', 'environment')`,
      [table],
    )
    const names = columns.map(({ name }) => name).join(', ')
    await book.run(
      `insert into ${table} (company_id, environment, ${names})
       select $1, $2, ${names} from ${table} where company_id = $3 and environment = 'sandbox'`,
      [companyId, environment, company.scope.companyId],
    )
  }
}

const NO_FILTER: OperationFilter = {
  type: undefined,
  status: undefined,
  cardId: undefined,
  from: null,
  until: null,
  idempotencyKey: undefined,
}
const matches = (row: Row, filter: OperationFilter) =>
  (filter.type === undefined || row.type === filter.type) &&
  (filter.status === undefined || row.status === filter.status) &&
  (filter.cardId === undefined || row.key_card === filter.cardId) &&
  (filter.from === null || row.created_at >= filter.from) &&
  (filter.until === null || row.created_at < filter.until) &&
  (filter.idempotencyKey === undefined || row.idempotency_key === filter.idempotencyKey)
const shown = (rows: readonly OperationRow[]) =>
  rows.map((row) => [row.company_id, row.environment, row.id, row.status, row.amount])

async function expectListed(filter: OperationFilter, after = NEWEST_ID, limit = 100): Promise<number> {
  const listed = await listOperations(book.db, company.scope, filter, { after, afterTime: LATEST_TIME, limit })
  const expected = all.filter((row) => matches(row, filter) && row.id < after).slice(0, limit)
  expect(shown(listed), JSON.stringify(filter)).toEqual(shown(expected))
  return expected.length
}

describe('a list of operations', () => {
  const statuses = [undefined, ...STATUSES]
  it.each(statuses)('in the status %s has what all its filters allow', async (status) => {
    for (const cardId of [undefined, ...cards]) {
      for (const type of [undefined, 'issue', 'topup', 'service']) {
        const filter = { ...NO_FILTER, status, cardId, type }
        await expectListed(filter)
        const rows = all.filter((row) => matches(row, filter))
        const [middle] = rows.slice(Math.floor(rows.length / 2))
        if (middle === undefined) continue
        const { created_at: at, id, idempotency_key: idempotencyKey } = middle
        await expectListed({ ...filter, from: at })
        await expectListed({ ...filter, until: at })
        await expectListed({ ...filter, until: new Date(at.getTime() + 1) })
        await expectListed(filter, id)
        await expectListed(filter, NEWEST_ID, 1)
        expect(await expectListed({ ...filter, idempotencyKey })).toBe(1)
        await expectListed({ ...filter, idempotencyKey: must(all.find((row) => row !== middle)).idempotency_key })
      }
    }
  })
})

describe('an operation is found', () => {
  it('in its account, by its id and by its key', async () => {
    for (const scope of scopes) {
      for (const row of all.slice(0, 3)) {
        const own = { company_id: scope.companyId, environment: scope.environment, id: row.id, amount: row.amount }
        expect(await findOperation(book.db, scope, row.id)).toMatchObject(own)
        const key = row.idempotency_key
        expect(await findOperationWithKey(book.db, scope, row.id)).toMatchObject({ ...own, idempotency_key: key })
        expect(await findOperationByKey(book.db, scope, key)).toMatchObject({ id: row.id, amount: row.amount })
      }
      expect(await findOperation(book.db, scope, newId(book.clock.now()))).toBeUndefined()
    }
  })
  it('only there', async () => {
    const lone = await book.addCompany(10_000n)
    const candidate = service(lone)
    const id = await book.accept(candidate)
    for (const scope of [...scopes, { ...lone.scope, environment: 'live' as const }]) {
      expect(await findOperation(book.db, scope, id)).toBeUndefined()
      expect(await findOperationWithKey(book.db, scope, id)).toBeUndefined()
      expect(await findOperationByKey(book.db, scope, candidate.idempotencyKey)).toBeUndefined()
    }
    expect(await findOperationAnywhere(book.db, id)).toMatchObject({ company_id: lone.scope.companyId, id })
    await book.run('delete from issuer_request where id = $1', [id])
  })
})

describe('of all accounts', () => {
  it('an operator sees those in review, the oldest first, page by page', async () => {
    const ids = all
      .filter(({ status }) => status === 'manual_review')
      .map(({ id }) => id)
      .toReversed()
    const list = async (environment?: 'sandbox' | 'live', after = ZERO_ID, limit = 100) =>
      listOperationsInReview(book.db, { after, afterTime: LATEST_TIME, limit, environment })
    const rows = await list()
    expect(rows.map(({ id }) => id)).toEqual(ids.flatMap((id) => [id, id, id]))
    const accounts = new Set(rows.map((row) => `${row.company_id} ${row.environment} ${row.id}`))
    expect(accounts.size).toBe(3 * ids.length)
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['manual_review']))
    expect((await list('live')).map(({ id }) => id)).toEqual(ids)
    expect((await list('sandbox')).map(({ id }) => id)).toEqual(ids.flatMap((id) => [id, id]))
    expect((await list('live', must(ids[0]))).map(({ id }) => id)).toEqual(ids.slice(1))
    expect((await list('live', ZERO_ID, 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2))
  })
  it('the unfinished ones are counted, with what they hold', async () => {
    const measured = await measureUnfinished(book.db)
    const expected = (['sandbox', 'live'] as const).flatMap((environment) =>
      (['queued', 'processing', 'manual_review'] as const).map((status) => {
        const own = all.filter((row) => row.status === status)
        const accounts = environment === 'sandbox' ? 2 : 1
        const held = own.reduce((sum, row) => sum + row.amount + row.fee, 0n)
        return { environment, status, count: accounts * own.length, held_dollars: (accounts * Number(held)) / 100 }
      }),
    )
    expect(measured).toHaveLength(6)
    expect(measured).toEqual(expect.arrayContaining(expected))
  })
})
