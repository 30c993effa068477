// Asking to erase a holder looks at a few rows, however many holders the company and cards the holder has, and it finds which names and
// addresses belong to this holder alone.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { auditRecord, programActor } from '../../src/access/audit.ts'
import { createPool, type Db } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { beginErasure, insertHolder } from '../../src/holders/queries.ts'
import { newId } from '../../src/lib/ids.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { Book, type BookCompany, completed, service } from '../ledger/book.ts'
import { onCitus } from '../support/on-citus.ts'

const MANY = 5_000
const OPEN_LIMIT = 1_000
/** Open operations of others. Each is compared with the holder's cards. */
const OPEN = 200
/** A few rows by a few indexes, and the index entries of rows that the test has changed. */
const FEW = 50

const begin = (db: Db, book: Book, { scope, holderId }: BookCompany) =>
  beginErasure(db, scope, book.clock.now(), {
    holderId,
    openLimit: OPEN_LIMIT,
    log: auditRecord(book.clock, programActor('test'), { action: 'holder.erased' }),
  })

describe.skipIf(onCitus('plans'))('looks at a few rows, planned', () => {
  it.each([
    ['while the tables were empty', false],
    ['with statistics', true],
  ])('%s', async (_, hasStatistics) => {
    const book = await Book.open()
    onTestFinished(() => book.close())
    const company = await book.addCompany(100_000_000n)
    const { scope, holderId } = company
    // One connection, which keeps its plans. An open operation lets it come to the last one.
    const db = createPool(book.connection, { size: 1, onError: () => {} })
    onTestFinished(() => db.close())
    const open = await book.accept(service(company, { recipient: 'Ada Lovelace' }))
    const plan = async () => {
      for (let call = 0; call < 6; call += 1)
        expect(await begin(db, book, company)).toEqual({ verdict: 'operation_open', blocking: open })
    }
    if (!hasStatistics) await plan()
    const card = await addMany(book, scope, holderId)
    if (hasStatistics) {
      await book.run('analyze')
      await plan()
    }
    const set = (status: string, pending: string | null) =>
      book.run('update card set status = $1, pending_status = $2 where id = $3', [status, pending, card])
    const cost = async () => {
      const before = await rowsRead(db)
      const found = await begin(db, book, company)
      return { found, read: (await rowsRead(db)) - before }
    }
    const few = (max: number) => expect.toSatisfy((read: number) => read < max, `is less than ${max}`)

    await set('active', null)
    expect(await cost()).toEqual({ found: { verdict: 'card_open', blocking: card }, read: few(FEW) })
    await set('active', 'closed')
    expect(await cost()).toEqual({ found: { verdict: 'change_open', blocking: card }, read: few(FEW) })
    // As when the issuer has closed it meanwhile.
    await set('closed', 'frozen')
    expect(await cost()).toEqual({ found: { verdict: 'change_open', blocking: card }, read: few(FEW) })
    await set('closed', null)
    expect(await cost()).toEqual({ found: { verdict: 'operation_open', blocking: open }, read: few(FEW + 2 * OPEN) })
    await book.claimAll()
    await book.settleAll([completed(company, open, 'service')])
    expect(await cost()).toEqual({ found: { verdict: 'begun', blocking: null }, read: few(FEW + 2 * OPEN) })
    expect(await cost()).toEqual({ found: { verdict: 'already', blocking: null }, read: few(FEW) })
  })
})

/** Adds many other holders, many closed cards of this one, and open top-ups of a card of another. Returns the last of the closed cards. */
async function addMany(book: Book, { companyId, environment }: Scope, holderId: string): Promise<string> {
  const now = book.clock.now()
  const other = newId(now)
  const place = [companyId, environment]
  await book.run(
    `insert into holder (company_id, environment, id, name, email, kind, status, created_at)
     select $1, $2, case n when 1 then $3::uuid else gen_random_uuid() end, 'Holder ' || n, n || '@example.com', 'individual', 'active', $4
     from generate_series(1, ${MANY}) n`,
    [...place, other, now],
  )
  const addCards = (holder: string, count: number) =>
    book.many<{ id: string }>(
      `insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
       select $1, $2, gen_random_uuid(), $3, 'prod_card_virtual', 'Card', '4242', 'closed', 0, $4 from generate_series(1, $5) returning id`,
      [...place, holder, now, count],
    )
  await addCards(holderId, MANY)
  const [[foreign], [last]] = [await addCards(other, 1), await addCards(holderId, 1)]
  await book.run(
    `with made as (
       insert into operation (company_id, environment, id, type, status, amount, fee, product_id, card_id, idempotency_key, request_digest,
                              created_at, status_at, due_at)
       select $1, $2, gen_random_uuid(), 'topup', 'processing', 1000, 0, 'prod_card_virtual', $3, 'many ' || n, '', $4, $4, $5
       from generate_series(1, ${OPEN}) n returning id)
     insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
     select $1, $2, id, 'topup', 'processing', $5, 1000 from made`,
    [...place, foreign?.id, now, new Date(now.getTime() + 86_400_000)],
  )
  return last?.id ?? ''
}

/** Index entries and rows of whole tables that were read so far. */
async function rowsRead(db: Db): Promise<number> {
  await db.many(sql`select pg_stat_force_next_flush()`)
  const row = await db.find<{ read: number }>(sql`
    select ((select sum(idx_tup_read) from pg_stat_user_indexes where relname in ('card', 'holder'))
      + (select sum(seq_tup_read) from pg_stat_user_tables where relname in ('card', 'holder')))::int as read`)
  return row?.read ?? 0
}

describe('erases as recipients of services', () => {
  let book: Book
  beforeAll(async () => {
    book = await Book.open()
  })
  afterAll(() => book.close())
  const own = { name: 'Same Name', email: 'One@Example.com' }
  const [name, email] = ['same name', 'one@example.com']
  const add = async (scope: Scope, texts: { name: string; email: string }) => {
    const id = newId(book.clock.now())
    const rest = { status: 'active', external_id: null, idempotency_key: null, request_digest: null } as const
    await insertHolder(book.db, scope, { ...texts, ...rest, id, kind: 'individual', created_at: book.clock.now() })
    return id
  }

  it.each([
    ['both, if nobody else has them', { name: 'Same Names', email: 'none@example.com' }, [name, email]],
    ['the address, if another holder has the name', { name: 'SAME name', email: 'none@example.com' }, [email]],
    ['the name, if another holder has the address', { name: 'Other', email: 'one@example.COM' }, [name]],
    [
      'the name, if another holder has the address as a name',
      { name: 'one@example.com', email: 'none@example.com' },
      [name],
    ],
    ['the address, if another holder has the name as an address', { name: 'Other', email: 'Same Name' }, [email]],
    ['none, if another holder has both', own, []],
  ])('%s', async (_, others, expected) => {
    const { scope } = await book.addCompany()
    const holderId = await add(scope, own)
    await add(scope, others)
    // Holders elsewhere are other people.
    await add({ ...scope, environment: 'live' }, own)
    await add((await book.addCompany()).scope, own)
    expect(await begin(book.db, book, { scope, holderId })).toMatchObject({ verdict: 'begun' })
    const found = await book.many('select recipients from erasure where holder_id = $1', [holderId])
    expect(found).toEqual([{ recipients: expected }])
  })
})
