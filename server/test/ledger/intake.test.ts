// The intake: batches, answers that are lost after the commit, a full queue, and one company per batch.
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import { createIntake, type Intake } from '../../src/ledger/accept.ts'
import { QueueFullError } from '../../src/lib/batcher.ts'
import type { Grouping } from '../../src/lib/grouping.ts'
import { createLog } from '../../src/lib/log.ts'
import { cents } from '../../src/lib/money.ts'
import { createCustomer, expectCleanAudit, expectRefused, issueBody, send } from '../support/operations.ts'
import { TestServer } from '../support/harness.ts'
import { readTestConfig, testGrouping } from '../support/on-citus.ts'
import { Book, ForgetfulDb, service } from './book.ts'

const book = await Book.open()
afterEach(() => book.requireClean())
afterAll(() => book.close())

const log = createLog({ level: 'silent' })
const isAccept = ({ text }: Statement) => text.includes('accept_operation')
const open = (db: Db, grouping: Grouping = testGrouping()): Intake =>
  createIntake({ db, clock: book.clock, log, grouping, onAccepted: () => {} })

/** Loses the first answers to acceptances. */
function forgetful(count: number): ForgetfulDb {
  let left = count
  return new ForgetfulDb(book.db, (statement) => isAccept(statement) && (left -= 1) >= 0)
}
const countOperations = async (companyId: string) =>
  (await book.many('select id from operation where company_id = $1', [companyId])).length

describe('an answer that was lost after the commit', () => {
  it.each([1, 2, 3])('is requested again, up to %i times, and gives one newly accepted operation', async (times) => {
    const company = await book.addCompany(100_000n)
    const verdict = await open(forgetful(times)).accept(service(company))
    expect(verdict.kind).toBe('accepted')
    expect(await countOperations(company.scope.companyId)).toBe(1)
  })
  it('of a batch gives each item its own verdict', async () => {
    const [company, short] = [await book.addCompany(100_000n), await book.addCompany(1_060n)]
    const intake = open(forgetful(2))
    const twice = service(company)
    const verdicts = await Promise.all(
      [service(company), service(short), service(short), twice, twice, { ...twice, digest: 'bb' }].map((candidate) =>
        intake.accept(candidate),
      ),
    )
    expect(verdicts.map(({ kind }) => kind)).toEqual([
      'accepted',
      'accepted',
      'funds',
      'accepted',
      'replay',
      'conflict',
    ])
    expect(await countOperations(company.scope.companyId)).toBe(2)
    expect(await countOperations(short.scope.companyId)).toBe(1)
  })
  it('is given up after repeated losses, and a client that repeats the request gets its operation', async () => {
    const company = await book.addCompany(100_000n)
    const candidate = service(company)
    await expect(open(forgetful(4)).accept(candidate)).rejects.toThrow(/Connection terminated/)
    expect((await open(book.db).accept(candidate)).kind).toBe('replay')
    expect(await countOperations(company.scope.companyId)).toBe(1)
  })
  it('is not requested again eight seconds after the first request, because a client does not wait longer', async () => {
    const company = await book.addCompany(100_000n)
    const attempts = { count: 0 }
    const late = new ForgetfulDb(book.db, (statement) => {
      if (!isAccept(statement)) return false
      attempts.count += 1
      vi.advanceTimersByTime(8_001)
      return true
    })
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      await expect(open(late).accept(service(company))).rejects.toThrow(/Connection terminated/)
    } finally {
      vi.useRealTimers()
    }
    expect(attempts.count).toBe(1)
    expect(await countOperations(company.scope.companyId)).toBe(1)
  })
  it('is the only failure after which a batch is repeated', async () => {
    let calls = 0
    const broken: Db = {
      ...book.db,
      many: () => {
        calls += 1
        return Promise.reject(new Error('a mistake of ours'))
      },
    }
    await expect(open(broken).accept(service(await book.addCompany()))).rejects.toThrow('a mistake of ours')
    expect(calls).toBe(1)
  })
})

/** Records the companies of every batch, and delays all batches until it is released. */
class SlowDb implements Db {
  readonly batches: string[][] = []
  release: () => void = () => {}
  readonly #gate = new Promise<void>((resolve) => (this.release = resolve))

  async many<Row>(statement: Statement): Promise<Row[]> {
    if (isAccept(statement)) {
      const [first, , , , companies] = statement.values
      // A single item goes to another function, whose first argument is its company.
      const isBatch = statement.text.includes('accept_operations')
      this.batches.push(isBatch ? String(companies).slice(1, -1).split(',') : [first as string])
      await this.#gate
    }
    return book.db.many<Row>(statement)
  }
  find = <Row>(statement: Statement) => book.db.find<Row>(statement)
  run = (statement: Statement) => book.db.run(statement)
}

describe('batches', () => {
  it('span companies, or contain one company each if they are grouped', async () => {
    const companies = await Promise.all(Array.from({ length: 3 }, () => book.addCompany(100_000n)))
    for (const grouping of ['all', 'company'] as const) {
      const db = new SlowDb()
      const intake = open(db, grouping)
      const verdicts = Array.from({ length: 30 }, (_, index) => {
        const company = companies[index % 3]
        if (company === undefined) throw new Error('no company')
        return intake.accept(service(company))
      })
      db.release()
      for (const verdict of await Promise.all(verdicts)) expect(verdict.kind).toBe('accepted')
      const widths = db.batches.map((batch) => new Set(batch).size)
      expect(Math.max(...widths)).toBe(grouping === 'all' ? 3 : 1)
      if (grouping === 'company') expect(db.batches.map((batch) => batch.length)).toEqual([10, 10, 10])
      await intake.idle()
    }
  })
  it('contain at most 256 items, two in flight, and items beyond 8192 waiting are refused immediately', async () => {
    const company = await book.addCompany(100_000_000n)
    const db = new SlowDb()
    const intake = open(db)
    const push = (count: number) =>
      Array.from({ length: count }, () =>
        intake.accept(service(company)).then(
          ({ kind }) => kind,
          (error: unknown) => (error instanceof QueueFullError ? 'full' : String(error)),
        ),
      )
    const first = push(8192)
    await new Promise((resolve) => setImmediate(resolve))
    expect(db.batches.map((batch) => batch.length)).toEqual([256, 256])
    const later = push(600)
    expect((await Promise.all(later.slice(512))).every((kind) => kind === 'full')).toBe(true)
    db.release()
    expect(new Set(await Promise.all([...first, ...later.slice(0, 512)]))).toEqual(new Set(['accepted']))
    expect(Math.max(...db.batches.map((batch) => batch.length))).toBe(256)
  })
})

describe('over HTTP', () => {
  /** A second app of the server whose database is this one. */
  async function startOn(server: TestServer, db: Db) {
    const config = readTestConfig({ RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' })
    const app = await createApp({ db, clock: server.clock, log, config, secretKey: Buffer.alloc(32, 7), role: 'api' })
    const baseUrl = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const request: TestServer['request'] = TestServer.prototype.request.bind({ baseUrl } as TestServer)
    return { request, stop: () => app.close() }
  }

  it('a lost answer to COMMIT gives an ordinary 201, not marked as a replay, and one operation', async () => {
    const server = await TestServer.start()
    const customer = await createCustomer(server)
    let left = 1
    const node = await startOn(
      server,
      new ForgetfulDb(server.db, (statement) => isAccept(statement) && (left -= 1) >= 0),
    )
    const answer = await send(node, customer, issueBody(customer), 'lost')
    expect(answer.status, answer.text).toBe(201)
    expect(answer.headers.get('idempotent-replayed')).toBeNull()
    const again = await send(node, customer, issueBody(customer), 'lost')
    expect(again.text).toBe(answer.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const rows = await server.db.many({ name: undefined, text: 'select id from operation', values: [] })
    expect(rows).toHaveLength(1)
    await node.stop()
    await expectCleanAudit(server)
    await server.stop()
  })

  it('a full intake answers 503 with Retry-After, and accepts the same key afterwards', async () => {
    const server = await TestServer.start()
    const customer = await createCustomer(server)
    const full: Db = {
      find: (statement) => server.db.find(statement),
      run: (statement) => server.db.run(statement),
      many: (statement) =>
        isAccept(statement) && busy ? Promise.reject(new QueueFullError('too many wait')) : server.db.many(statement),
    }
    let busy = true
    const node = await startOn(server, full)
    const refused = await send(node, customer, issueBody(customer), 'later')
    expectRefused(refused, 'unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    busy = false
    expect((await send(node, customer, issueBody(customer), 'later')).status).toBe(201)
    await node.stop()
    await expectCleanAudit(server)
    await server.stop()
  })
})

/** Records the keys of every batch that is decided, and how many requests were looked up. */
class WatchedDb implements Db {
  readonly decided: string[][] = []
  lookedUp = 0

  many<Row>(statement: Statement): Promise<Row[]> {
    const [, , , , fifth, , , keys] = statement.values
    if (statement.text.includes('accept_operations')) this.decided.push([...(keys as string[])])
    else if (statement.text.includes('accept_operation')) this.decided.push([fifth as string])
    else if (statement.text.includes('find_originals')) this.lookedUp += (statement.values[2] as string[]).length
    return book.db.many<Row>(statement)
  }
  find = <Row>(statement: Statement) => book.db.find<Row>(statement)
  run = (statement: Statement) => book.db.run(statement)
}

describe('a company that repeats known keys', () => {
  async function openRepeater() {
    const [company, other] = [await book.addCompany(100_000n), await book.addCompany(100_000n)]
    const db = new WatchedDb()
    const intake = open(db)
    const known = service(company)
    expect((await intake.accept(known)).kind).toBe('accepted')
    expect((await intake.accept(known)).kind).toBe('replay')
    db.decided.length = 0
    return { company, other, db, intake, known }
  }

  it('gets its replays and conflicts from look-ups, and keeps them out of the batches of others', async () => {
    const { other, db, intake, known } = await openRepeater()
    const beside = [service(other), service(other)]
    const candidates = [known, ...beside, known, { ...known, digest: 'bb' }]
    const verdicts = await Promise.all(candidates.map((candidate) => intake.accept(candidate)))
    expect(verdicts.map(({ kind }) => kind)).toEqual(['replay', 'accepted', 'accepted', 'replay', 'conflict'])
    expect(db.decided.flat().toSorted()).toEqual(beside.map((candidate) => candidate.idempotencyKey).toSorted())
    expect(db.lookedUp).toBe(3)
  })

  it('gets a conflict for another body right after a replay, and a replay after that', async () => {
    const { intake, known } = await openRepeater()
    for (const [candidate, kind] of [
      [known, 'replay'],
      [{ ...known, digest: 'bb' }, 'conflict'],
      [known, 'replay'],
    ] as const)
      expect((await intake.accept(candidate)).kind).toBe(kind)
  })

  it('still gets new operations accepted, one per key', async () => {
    const { company, db, intake } = await openRepeater()
    const twice = service(company)
    const candidates = [service(company), twice, twice, { ...twice, digest: 'bb' }]
    const verdicts = await Promise.all(candidates.map((candidate) => intake.accept(candidate)))
    expect(verdicts.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'replay', 'conflict'])
    expect(db.decided.flat().filter((key) => key === twice.idempotencyKey)).toHaveLength(1)
    await intake.idle()
  })

  it('is refused as usual, and a refusal consumes no key', async () => {
    const { company, intake } = await openRepeater()
    const dear = service(company, { amount: cents(10_000_000n) })
    const verdicts = await Promise.all([dear, dear, dear].map((candidate) => intake.accept(candidate)))
    expect(verdicts.map(({ kind }) => kind)).toEqual(['funds', 'funds', 'funds'])
    expect((await intake.accept({ ...dear, amount: cents(1000n) })).kind).toBe('accepted')
  })

  it('goes straight into the batches again when it has stopped for ten seconds', async () => {
    const { company, db, intake } = await openRepeater()
    book.clock.advance(10_000)
    expect((await intake.accept(service(company))).kind).toBe('accepted')
    expect(db.lookedUp).toBe(0)
  })
})
