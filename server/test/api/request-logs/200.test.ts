// The request log: complete, redacted, visible only to its company, and limited in size, age and cost.
import { afterAll, describe, expect, it } from 'vitest'
import { sql, type Statement } from '../../../src/db/sql.ts'
import { createLog } from '../../../src/lib/log.ts'
import { redactBody } from '../../../src/request-log/redact.ts'
import {
  createRequestLog,
  ERRORS_PER_FLUSH,
  type RequestLog,
  SUCCESSES_BURST,
  SUCCESSES_PER_FLUSH,
} from '../../../src/request-log/record.ts'
import { pruneRequestLogJob } from '../../../src/request-log/prune.ts'
import { countRequestLogs } from '../../../src/request-log/queries.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { isDistributed } from '../../support/on-citus.ts'
import { until } from '../../support/wait.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

interface RequestRecord {
  id: string
  method: string
  path: string
  query: string | null
  status: number
  durationMs: number
  keyId: string
  requestId: string
  address: string
  errorCode: string | null
  idempotencyKey: string | null
  requestBody: Record<string, unknown> | null
  responseBody: Record<string, unknown> | null
  environment: string
  createdAt: string
}

async function read({ key }: Pick<TestCompany, 'key'>, query = ''): Promise<RequestRecord[]> {
  await server.app.requestLog?.flush()
  const answer = await server.get<{ data: RequestRecord[] }>(`/api/v1/request-logs${query}`, key)
  expect(answer.status).toBe(200)
  return answer.body.data
}

const HOLDER = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual', externalId: 'secret-7' }

describe('a record', () => {
  it('shows the request and the answer, newest first', async () => {
    const company = await server.createCompany()
    const created = await server.post('/api/v1/holders', company.key, HOLDER)
    const refused = await server.get('/api/v1/cards/nonsense?x=1', company.key)
    // The log is written after the answers. A flush that begins after both requests writes both records.
    const records = await read(company, '?limit=2')
    expect(records.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/api/v1/cards/nonsense', refused.status],
      ['POST', '/api/v1/holders', 201],
    ])
    const [failure, success] = records
    expect(failure).toMatchObject({
      requestId: refused.headers.get('x-request-id'),
      errorCode: refused.body['code'],
      responseBody: { code: refused.body['code'], statusCode: refused.status },
      requestBody: null,
      environment: 'sandbox',
      createdAt: server.clock.now().toISOString(),
    })
    expect(success).toMatchObject({ errorCode: null, requestId: created.headers.get('x-request-id') })
    expect(success?.address).toMatch(/127\.0\.0\.1/)
    expect(success?.keyId).toMatch(/^key_[0-9a-f]{32}$/)
    expect(success?.durationMs).toBeGreaterThanOrEqual(0)
  })

  it('has the query, without values that may name somebody', async () => {
    const company = await server.createCompany()
    const long = `?status=${'x'.repeat(1_000)}`
    for (const query of ['?status=active&limit=5', '?q=ada', '?status=ada%40example.com&%20x=1&limit', long])
      await server.get(`/api/v1/cards${query}`, company.key)
    await server.get('/api/v1/cards', company.key)
    const records = await read(company, '?limit=5')
    expect(records.map(({ query }) => query)).toEqual([
      null,
      '?[redacted]',
      '?status=[redacted]&[redacted]&limit',
      '?q=[redacted]',
      '?status=active&limit=5',
    ])
  })

  it('has the idempotency key, with which the request can be repeated, unless it may hold what must not be kept', async () => {
    const company = await server.createCompany()
    const kept = ['order-4711/2026:1', '019cd7a5-b200-7db1-89d5-111122223333']
    const hidden = ['ada@example.com', company.key, '4242-4242-4242-4242', 'whsec_abc', `quote"`]
    for (const key of [...kept, ...hidden])
      await server.post('/api/v1/sandbox/funding', company.key, { amount: '1.00' }, key)
    await server.get('/api/v1/balance', company.key)
    const keys = (await read(company)).map(({ idempotencyKey }) => idempotencyKey)
    expect(keys.toReversed()).toEqual([...kept, ...hidden.map(() => null), null])
  })

  it('hides a body that is not an object, was not read or is too long, and names that are none', async () => {
    const company = await server.createCompany()
    const long = JSON.stringify({ type: 'issue', events: Array.from({ length: 1000 }, () => 'x') })
    for (const body of [
      '[1, 2]',
      '"text"',
      '7',
      '{"type":',
      '{"type": "a\\u0000b"}',
      long,
      '{"type": "issue", "x y": 1}',
    ])
      await server.request('POST', '/api/v1/quotes', { token: company.key, body })
    const records = await read(company)
    const hidden = { '[redacted]': '[redacted]' }
    const expected = [{ type: 'issue', ...hidden }, ...Array.from({ length: 6 }, () => hidden)]
    expect(records.map(({ requestBody }) => requestBody)).toEqual(expected)
  })

  it('contains no names, addresses, card digits, keys or secrets', async () => {
    const company = await server.createCompany()
    const created = await server.post('/api/v1/holders', company.key, HOLDER)
    await server.post('/api/v1/webhook-endpoints', company.key, { url: 'http://127.0.0.1:9999/private-path' })
    await server.get('/api/v1/holders?email=ada@example.com', company.key)
    const [, , record] = await read(company)
    expect(record?.requestBody).toEqual({
      name: '[redacted]',
      email: '[redacted]',
      kind: 'individual',
      externalId: '[redacted]',
    })
    expect(record?.responseBody).toMatchObject({ id: created.body['id'], name: '[redacted]', kind: 'individual' })
    const rows = await server.db.many(sql`select r::text as text from request_log r`)
    const text = JSON.stringify(rows)
    for (const secret of ['Ada', 'ada@', 'secret-7', 'whsec_', 'private-path', 'cstk_'])
      expect(text).not.toContain(secret)
  })

  it('keeps ids readable, and neither e-mail addresses nor secrets in paths and in X-Request-Id', async () => {
    const company = await server.createCompany()
    // Its UUID has more digits in a row than a card.
    const requestId = '01234567-4600-7000-8087-091991044481'
    const missing = `card_${requestId.replaceAll('-', '')}`
    const send = (path: string, id: string) =>
      server.request('GET', `/api/v1/cards/${path}`, { token: company.key, headers: { 'x-request-id': id } })
    await send(missing, requestId)
    for (const path of ['ada@example.com', 'ada%40example.com', '4111%201111%201111%201111', company.key])
      await send(path, company.key)
    await send('nonsense', '4111111111111111')
    const records = await read(company)
    expect(records.at(-1)).toMatchObject({ path: `/api/v1/cards/${missing}`, requestId, responseBody: { requestId } })
    const text = JSON.stringify(records)
    // Ids are hexadecimal, so that a short text may be in one by chance.
    for (const secret of ['ada@', 'ada%', 'example', '4111111111111111', '4111%20', '4111 ', 'cstk_'])
      expect(text).not.toContain(secret)
    expect(records.filter(({ path }) => path === '/api/v1/cards/[redacted]')).toHaveLength(4)
    for (const record of records) expect(record.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is not written for unauthenticated callers or operators', async () => {
    await server.get('/api/v1/cards', 'nonsense')
    await server.get('/admin/v1/companies', server.operatorToken)
    await server.app.requestLog?.flush()
    const paths = await server.db.many(sql`select 1 from request_log where path like '/admin%' or status = 401`)
    expect(paths).toEqual([])
  })
})

it('a company and an environment see only their own records', async () => {
  const [one, other] = [await server.createCompany(), await server.createCompany()]
  const live = await server.createKey(one.id, { environment: 'live' })
  await server.get('/api/v1/cards', one.key)
  await server.get('/api/v1/holders', live)
  await server.get('/api/v1/products', other.key)
  const pathsOf = async (key: string) =>
    new Set((await read({ key })).map(({ path }) => path).filter((path) => path !== '/api/v1/request-logs'))
  expect(await pathsOf(one.key)).toEqual(new Set(['/api/v1/cards']))
  expect(await pathsOf(live)).toEqual(new Set(['/api/v1/holders']))
  expect(await pathsOf(other.key)).toEqual(new Set(['/api/v1/products']))
})

describe('filters', () => {
  it('select by status, path, key and time, and work with paging', async () => {
    const company = await server.createCompany()
    const second = await server.createKey(company.id)
    await server.get('/api/v1/cards', company.key)
    await server.get('/api/v1/cards/nonsense', company.key)
    await server.get('/api/v1/cards', second)
    const all = await read(company)
    expect(all).toHaveLength(3)
    expect((await read(company, '?status=404')).map(({ path }) => path)).toEqual(['/api/v1/cards/nonsense'])
    expect(await read(company, '?path=/api/v1/cards')).toHaveLength(2)
    expect((await read(company, `?keyId=${all[0]?.keyId}&path=/api/v1/cards`)).map(({ id }) => id)).toEqual([
      all[0]?.id,
    ])
    expect(await read(company, '?keyId=nonsense')).toEqual([])
    expect(await read(company, '?from=2026-03-10&to=2026-03-10&path=/api/v1/cards')).toHaveLength(2)
    expect(await read(company, '?to=2026-03-09')).toEqual([])
    const first = await server.get<{ data: RequestRecord[]; nextCursor: string }>(
      '/api/v1/request-logs?limit=1&path=/api/v1/cards',
      company.key,
    )
    const next = await read(company, `?limit=1&path=/api/v1/cards&cursor=${first.body.nextCursor}`)
    expect([first.body.data[0]?.id, next[0]?.id]).toEqual([all[0]?.id, all[2]?.id])
  })

  it.each(['status=x', 'status=99', 'from=yesterday', 'unknown=1', 'limit=101'])('%s answers 400', async (query) => {
    const company = await server.createCompany()
    expectError(await server.get(`/api/v1/request-logs?${query}`, company.key), 'validation_failed')
  })
})

it('records are kept for seven days, then hidden and deleted', async () => {
  const company = await server.createCompany()
  await server.get('/api/v1/cards', company.key)
  expect(await read(company, '?path=/api/v1/cards')).toHaveLength(1)
  server.clock.advance(7 * 86_400_000 + 1)
  expect(await read(company, '?path=/api/v1/cards')).toEqual([])
  const job = pruneRequestLogJob(server, 1_000_000)
  while (await job.run());
  const left = await server.db.many(
    sql`select 1 from request_log where company_id = ${company.id} and environment = 'sandbox' and path = '/api/v1/cards'`,
  )
  expect(left).toEqual([])
})

/** Returns how many records there are by what the connections have told of their writes. On Citus they are in the shards of the nodes. */
async function countToldRecords(): Promise<number> {
  const told = `select sum(n_tup_ins - n_tup_del) as count from pg_stat_user_tables where relname ~ '^request_log(_[0-9]+)?$'`
  const text = isDistributed()
    ? `select sum(result::bigint) as count from run_command_on_all_nodes($told$${told}$told$) where success`
    : told
  const [row] = await server.db.many<{ count: string }>({ name: undefined, text, values: [] })
  return Number(row?.count)
}

it('no more records are kept than the setting says, and the newest stay', async () => {
  const company = await server.createCompany()
  for (const path of ['cards', 'holders', 'products', 'operations']) {
    await server.get(`/api/v1/${path}`, company.key)
    server.clock.advance(1)
  }
  await server.app.requestLog?.flush()
  const list = () => server.db.many(sql`select id from request_log order by id desc`)
  const all = await list()
  // PostgreSQL's own count is seconds behind the writes, until every connection has told what it wrote, on Citus those of the nodes too.
  // What is told after an analyze would be counted twice.
  const run = (text: string) => server.db.run({ name: undefined, text, values: [] })
  const update = (count: number) =>
    until('the count is up to date', async () => {
      const tell = 'select pg_stat_force_next_flush(), pg_sleep(0.02) from request_log limit 1'
      await Promise.all(Array.from({ length: 6 }, () => run(tell)))
      if ((await countToldRecords()) !== count) return false
      await run('analyze request_log')
      return Number((await countRequestLogs(server.db))?.count) === count
    })
  await update(all.length)
  expect(await pruneRequestLogJob(server, all.length).run()).toBe(false)
  expect(await list()).toEqual(all)
  await pruneRequestLogJob(server, all.length - 2).run()
  expect(await list()).toEqual(all.slice(0, -2))
  await update(all.length - 2)
})

describe('limits', () => {
  const answer = (errorCode: string | null, companyId: string) =>
    ({
      caller: { by: { keyId: companyId }, scope: { companyId, environment: 'sandbox' } },
      method: 'GET',
      url: '/',
      status: errorCode === null ? 200 : 400,
      durationMs: 1,
      requestId: 'r',
      address: '127.0.0.1',
      errorCode,
    }) as never
  const FIRST = '00000000-0000-7000-8000-000000000000'
  const SECOND = '00000000-0000-7000-8000-000000000001'
  const recordMany = (log: RequestLog, count: number, errorCode: string | null, companyId = FIRST) => {
    for (let sent = 0; sent < count; sent += 1) log.record(answer(errorCode, companyId))
  }
  const create = (run: () => Promise<number>) =>
    createRequestLog({ db: { ...server.db, run }, clock: server.clock, log: createLog({ level: 'silent' }) })

  it('drop and count successes above a burst and a rate, and errors only above a limit of their own', async () => {
    const sizes: number[] = []
    const log = create((...[statement]: unknown[]) => {
      sizes.push(String((statement as Statement).values[2]).split(',').length)
      return Promise.resolve(0)
    })
    // A company never gets more than it leaves to the others.
    recordMany(log, SUCCESSES_BURST / 2 + 7, null)
    recordMany(log, ERRORS_PER_FLUSH / 2 + 2, 'validation_failed')
    expect(log.dropped()).toBe(9)
    recordMany(log, SUCCESSES_BURST / 4, null, SECOND)
    expect(log.dropped()).toBe(9)
    await log.flush()
    const left = SUCCESSES_BURST / 4 + SUCCESSES_PER_FLUSH
    recordMany(log, Math.ceil(left / 2) + 1, null)
    recordMany(log, 1, 'validation_failed')
    expect(log.dropped()).toBe(10)
    await log.close()
    expect(sizes).toEqual([(SUCCESSES_BURST * 3) / 4 + ERRORS_PER_FLUSH / 2, Math.ceil(left / 2) + 1])
  })

  it('let nothing grow or fail when the database fails', async () => {
    const log = create(() => Promise.reject(new Error('no answer')))
    recordMany(log, 5000, null)
    await log.close()
    expect(log.dropped()).toBe(5000)
  })
})

describe('redaction', () => {
  it.each([
    ['a key sent as an id', { id: 'cstk_sandbox_abc' }, { id: '[redacted]' }],
    ['a card number', { message: 'card 4111 1111 1111 1111' }, { message: '[redacted]' }],
    ['digits apart', { message: '41 11-11 11 11-11 11' }, { message: '[redacted]' }],
    ['a secret with spaces', { message: 'my cs tk_live' }, { message: '[redacted]' }],
    ['a webhook secret', { id: 'whsec_a' }, { id: '[redacted]' }],
    ['a text that is too long', { message: 'a'.repeat(201) }, { message: '[redacted]' }],
    [
      'what lies too deep',
      { details: { from: { to: { at: { id: 1 } } } } },
      { details: { from: { to: { at: '[redacted]' } } } },
    ],
    ['text that JSON escapes', { message: 'a "b"\\\n\u001f é' }, { message: 'a "b"\\\n\u001f é' }],
    [
      'values of every kind',
      {
        amount: 5n,
        at: new Date(0),
        enabled: true,
        count: 1.5,
        id: undefined,
        to: null,
        reasons: ['a', null, undefined],
      },
      { amount: '5', at: '1970-01-01T00:00:00.000Z', enabled: true, count: 1.5, to: null, reasons: ['a', null, null] },
    ],
    [
      'text that PostgreSQL cannot hold',
      { message: 'a\ud800', id: 'a\0b' },
      { message: '[redacted]', id: '[redacted]' },
    ],
    ['an id of ours', { cardId: `card_${'1'.repeat(32)}` }, { cardId: `card_${'1'.repeat(32)}` }],
    [
      'a UUID',
      { requestId: '01234567-4600-7000-8087-091991044481' },
      { requestId: '01234567-4600-7000-8087-091991044481' },
    ],
    [
      'an e-mail address in a message',
      { message: 'body.email must be such as ada@example.com' },
      { message: 'body.email must be such as [redacted]' },
    ],
    ['an unknown field', { pin: 1234, nested: { a: 1 } }, { pin: '[redacted]', nested: '[redacted]' }],
    ['a name that is no identifier', { 'x y': 1, '4111111111111111': 1 }, { '[redacted]': '[redacted]' }],
    [
      'a failure inside',
      { failure: { code: 'a', message: 'b', extra: 'c' } },
      { failure: { code: 'a', message: 'b', extra: '[redacted]' } },
    ],
  ])('%s', (_name, body, kept) => expect(JSON.parse(redactBody(body) ?? '')).toEqual(kept))
  it('a body that is too long is omitted', () => {
    expect(redactBody({ reasons: Array.from({ length: 1000 }, () => 'reason') })).toBeNull()
  })
})
