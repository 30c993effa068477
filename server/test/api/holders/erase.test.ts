// POST /holders/{id}/erase: afterwards no table contains the person, the books are right, and nothing brings the data back.
import { verifyStatement } from '@cardstock/sdk/statements'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { requireId } from '../../../src/errors.ts'
import { contradict } from '../../../src/issuer/requests/contradictions.ts'
import { SETTLED_AFTER_MS } from '../../../src/events/feed.ts'
import { pruneExchangesJob } from '../../../src/issuer/prune.ts'
import { newId } from '../../../src/lib/ids.ts'
import { createLog } from '../../../src/lib/log.ts'
import { readPdf } from '../../books/pdf-text.ts'
import { expectBooksRight, fund, operate, settled, type WireOperation } from '../../books/steps.ts'
import { join } from '../people/people.ts'
import { listEveryRow } from '../../support/every-row.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'
import { register, waitingOf } from '../../support/webhooks.ts'
import { startReceiver } from '../../support/receiver.ts'
import { expectError } from '../expect-error.ts'

const DAY_MS = 86_400_000
const PERSON = { name: 'Zelda Quisling', email: 'zelda@quisling.example', kind: 'individual', externalId: 'staff-zq77' }
const TRACES = ['quisling', 'staff-zq77']
/** What is cleared when everything that was on its way has been written. */
const CLEARED_LAST = ['audit_log', 'card_change', 'erasure', 'exchange', 'operation', 'webhook_attempt']
const STATEMENT = '/api/v1/account-statements?from=2026-03-10&to=2026-03-10'

const server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
const receiver = await startReceiver()
// Repeats what was sent, as some receivers do. The server keeps the beginning of the answer.
receiver.answer = (response) => response.end(receiver.arrivals.at(-1)?.raw.subarray(0, 1_000))
const company = await server.createCompany()
const other = await server.createCompany()
afterAll(async () => {
  await server.stop()
  await receiver.close()
})

/** The tables whose rows contain a trace of the person, as text or as bytes; those of the other company are left out. */
async function findTraces(): Promise<string[]> {
  const wanted = TRACES.flatMap((trace) => [trace, Buffer.from(trace).toString('hex')])
  const rows = await listEveryRow(server)
  const found = rows.filter(({ line }) => {
    const text = line.toLowerCase()
    return !text.includes(other.id) && wanted.some((trace) => text.includes(trace))
  })
  return [...new Set(found.map(({ table }) => table))].toSorted()
}

const post = <Body = Record<string, unknown>>(path: string, body?: object, idempotencyKey?: string) =>
  server.post<Body>(`/api/v1/${path}`, company.key, body, idempotencyKey)

async function addPerson(home: TestCompany, idempotencyKey?: string): Promise<string> {
  return (await server.post<{ id: string }>('/api/v1/holders', home.key, PERSON, idempotencyKey)).body.id
}

async function run(home: TestCompany, body: object): Promise<WireOperation> {
  return settled(server, home, await operate(server, home, body))
}

const issue = (holderId: string, more: object = {}) => ({
  type: 'issue',
  productId: 'prod_card_virtual',
  amount: '50.00',
  holderId,
  ...more,
})
const service = (recipient: string) => ({
  type: 'service',
  productId: 'prod_service_esim',
  amount: '10.00',
  recipient,
})

let holderId = ''
let cardId = ''
let issued: WireOperation
let declined: WireOperation
let before: { proof: object; data: object[] }
let foreign: { holderId: string; cardId: string }

/** Written directly, because the sandbox declines by the name of the card, and then also declines to close it. */
async function addDeclinedChange(): Promise<void> {
  const [id, at] = [newId(server.clock.now()), server.clock.now()]
  await server.db.run(sql`
    insert into card_change (company_id, environment, id, card_id, wanted, status, failure_code, failure_message, created_at, status_at)
    values (${company.id}, 'sandbox', ${id}, ${requireId('card', cardId)}, 'frozen', 'failed', 'declined', 'Ask Zelda Quisling', ${at}, ${at})`)
  await server.db.run(sql`
    insert into exchange (company_id, environment, object_id, id, purpose, sent, received, outcome, started_at)
    values (${company.id}, 'sandbox', ${id}, ${id}, 'request', '{}', '{"message": "Ask Zelda Quisling"}', 'declined', ${at})`)
}

beforeAll(async () => {
  await register(server, company, receiver.url)
  await Promise.all([fund(server, company, '2000'), fund(server, other, '500')])
  ;[holderId, foreign] = await Promise.all([
    addPerson(company, 'person-1'),
    addPerson(other).then(async (id) => ({
      holderId: id,
      cardId: (await run(other, issue(id))).result.cardId ?? '',
    })),
  ])
  // The same body is sent again below, so the key must be the same too.
  const first = await post<WireOperation>('operations', issue(holderId), 'issue-1')
  issued = await settled(server, company, first.body)
  cardId = issued.result.cardId ?? ''
  const [labelled, review, refused] = await Promise.all([
    run(company, issue(holderId, { name: 'Quisling travel' })),
    run(company, issue(holderId, { amount: '10.77', name: 'Z. Quisling' })),
    run(company, issue(holderId, { amount: '10.66', name: 'Zelda Quisling 2' })),
    run(company, { type: 'topup', cardId, amount: '20.00' }),
    run(company, service(PERSON.email)),
    run(company, service('ZELDA QUISLING')),
  ])
  declined = refused
  const decided = await server.post(`/admin/v1/reviews/${review.id}/resolve`, server.operatorToken, {
    outcome: 'failed',
    reason: 'Zelda Quisling says that she has no card',
    evidence: 'Mail of zelda@quisling.example',
  })
  if (decided.status !== 200) throw new Error(decided.text)
  const purchase = { cardId, type: 'purchase', amount: '3.00', description: 'Ticket of Zelda Quisling' }
  await post('sandbox/transactions', purchase)
  await post(`cards/${cardId}/freeze`)
  for (const id of [cardId, labelled.result.cardId ?? '']) await post(`cards/${id}/close`)
  await addDeclinedChange()
  await until('everything is delivered', async () => (await waitingOf(server, company)) === 0)
  before = (await server.get<typeof before>(STATEMENT, company.key)).body
})

const erase = (id: string, key = company.key) => server.post(`/api/v1/holders/${id}/erase`, key)

describe('before it', () => {
  it('the person is in every table that is about them', async () => {
    const tables = [
      'audit_log',
      'card',
      'card_change',
      'event',
      'exchange',
      'holder',
      'operation',
      'transaction',
      'webhook_attempt',
    ]
    expect(await findTraces()).toEqual(tables)
  })

  it('another company, the other environment and an unknown id get 404', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    for (const key of [other.key, live]) expectError(await erase(holderId, key), 'not_found')
    expectError(await erase('hld_unknown'), 'not_found')
    expectError(await eraseByOperator('live'), 'not_found')
  })
})

const eraseByOperator = (environment: string) =>
  server.post(`/admin/v1/companies/${company.wireId}/holders/${holderId}/erase`, server.operatorToken, { environment })

describe('afterwards', () => {
  it('the holder has placeholders, and the rest is cleared after what was on its way has arrived', async () => {
    const owner = await join(server, 'owner', company)
    const answer = await owner.post(`/api/v1/holders/${holderId}/erase`)
    const erased = {
      id: holderId,
      name: 'Erased',
      email: 'erased@erased.invalid',
      kind: 'individual',
      status: 'inactive',
    }
    expect(answer.body).toEqual({ ...erased, erasure: 'running' })
    await until('the next step waits', async () => {
      const row = await server.db.find<{ step: string }>(sql`
        select step from erasure where company_id = ${company.id} and environment = 'sandbox' and holder_id = ${requireId('hld', holderId)}`)
      return row?.step === 'card_changes'
    })
    expect(await findTraces()).toEqual(CLEARED_LAST)
    server.clock.advance(SETTLED_AFTER_MS)
    const read = () => server.get(`/api/v1/holders/${holderId}`, company.key)
    await until('the erasure is completed', async () => (await read()).body['erasure'] === 'completed')
    expect((await read()).body).toEqual({ ...erased, erasure: 'completed' })

    // The person who asked is named; again changes nothing and is not recorded again.
    expect((await erase(holderId)).body).toEqual({ ...erased, erasure: 'completed' })
    expect((await eraseByOperator('sandbox')).body).toEqual({ ...erased, erasure: 'completed' })
    const log = await server.get<{ data: { action: string }[] }>(
      `/admin/v1/audit-log?object=${holderId}`,
      server.operatorToken,
    )
    expect(log.body.data.filter(({ action }) => action === 'holder.erased')).toMatchObject([
      { actor: `The owner <${owner.email}>`, details: { environment: 'sandbox' } },
    ])
  })

  it('no table contains a trace of the person', async () => {
    await server.app.requestLog?.flush()
    expect(await findTraces()).toEqual([])
  })

  it('the books are right, and statements from before and after verify and prove the same', async () => {
    await expectBooksRight(server)
    const after = (await server.get<typeof before>(STATEMENT, company.key)).body
    expect(verifyStatement(before).problems).toEqual([])
    expect(verifyStatement(after).problems).toEqual([])
    expect(after.data).toEqual(before.data)
    const pdf = await fetch(`${server.baseUrl}${STATEMENT}&format=pdf`, {
      headers: { authorization: `Bearer ${company.key}` },
    })
    const text = readPdf(Buffer.from(await pdf.arrayBuffer()))
      .pages.flat()
      .join(' ')
    expect(text).toMatch(/ for Erased ·· \d{4}/)
    expect(text).not.toContain('Quisling')
  })

  it('operations, cards and reviews can still be read', async () => {
    const operation = await server.get(`/api/v1/operations/${declined.id}`, company.key)
    expect(operation.body).toMatchObject({ status: 'failed', failure: { code: 'declined', message: 'Erased' } })
    expect((await server.get(`/api/v1/operations/${issued.id}/timeline`, company.key)).body).toMatchObject({
      request: { holderId, name: 'Erased' },
    })
    expect((await server.get(`/api/v1/cards/${cardId}`, company.key)).body).toMatchObject({ name: 'Erased', holderId })
  })

  it('a retry of the order is replayed, and a retry of the new holder does not bring the person back', async () => {
    const replay = await post<WireOperation>('operations', issue(holderId), 'issue-1')
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(replay.body.id).toBe(issued.id)
    expect(expectError(await post('holders', PERSON, 'person-1'), 'holder_erased').details).toEqual({
      originalId: holderId,
    })
  })

  it('the holder cannot be used or activated again', async () => {
    expectError(await post('operations', issue(holderId)), 'holder_not_active')
    const path = `/admin/v1/companies/${company.wireId}/holders/${holderId}`
    const body = { environment: 'sandbox', status: 'active' }
    expectError(await server.request('PATCH', path, { token: server.operatorToken, body }), 'holder_erased')
  })

  it('late reports of the issuer do not bring the data back', async () => {
    const late = { cardId, type: 'refund', amount: '3.00', description: 'Refund to Zelda Quisling' }
    expect((await post('sandbox/transactions', late)).body).toMatchObject({ cardId, description: 'Card closed' })
    const event = { id: 'late-1', type: 'operation.completed', data: { message: 'Card of Zelda Quisling' } }
    await contradict({ db: server.db, clock: server.clock, log: createLog({ level: 'silent' }) }, company.scope, {
      object: declined.id,
      createdAt: server.clock.now(),
      event,
      problem: 'it failed here',
    })
    expect(await findTraces()).toEqual([])
  })

  it('the holder of the same name in another company is untouched', async () => {
    expect((await server.get(`/api/v1/holders/${foreign.holderId}`, other.key)).body).toMatchObject(PERSON)
    expect((await server.get(`/api/v1/cards/${foreign.cardId}`, other.key)).body).toMatchObject({ name: PERSON.name })
  })
})

describe('a holder in use is refused', () => {
  const ada = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
  const add = async (body = ada) => (await post<{ id: string }>('holders', body)).body.id
  const refusal = async (id: string) => expectError(await erase(id), 'holder_in_use')

  it('while a card is not closed', async () => {
    const id = await add()
    const { result } = await run(company, issue(id))
    expect((await refusal(id)).details).toEqual({ cardId: result.cardId })
    await post(`cards/${result.cardId}/close`)
    expect((await erase(id)).status).toBe(200)
  })

  it('while a change of a card is open', async () => {
    const id = await add()
    const { result } = await run(company, issue(id, { name: 'change unknown' }))
    await post(`cards/${result.cardId}/close`)
    const { details, message } = await refusal(id)
    expect(details).toEqual({ cardId: result.cardId })
    expect(message).toContain('A change of the card')
  })

  it.each(['issue', 'service'])('while its %s is in review', async (type) => {
    const id = await add({ ...ada, email: `${type}@example.com` })
    const order = type === 'issue' ? issue(id) : service(`${type}@example.com`)
    const { id: operationId } = await run(company, { ...order, amount: '10.77' })
    expect((await refusal(id)).details).toEqual({ operationId })
    await post(`sandbox/reviews/${operationId}/resolve`, { outcome: 'failed' })
    expect((await erase(id)).status).toBe(200)
  })
})

it('the recipient of a service is kept if another holder has the same name', async () => {
  const twin = { name: 'Same Name', email: 'one@example.com', kind: 'individual' }
  const { body } = await post<{ id: string }>('holders', twin)
  await post('holders', { ...twin, email: 'two@example.com' })
  const named = await run(company, service('Same Name'))
  const addressed = await run(company, service('one@example.com'))
  await erase(body.id)
  const state = async () => (await server.get(`/api/v1/holders/${body.id}`, company.key)).body['erasure']
  server.clock.advance(SETTLED_AFTER_MS)
  await until('the erasure is completed', async () => {
    server.clock.advance(SETTLED_AFTER_MS)
    return (await state()) === 'completed'
  })
  const recipient = async ({ id }: WireOperation) =>
    (await server.get<{ request: object }>(`/api/v1/operations/${id}/timeline`, company.key)).body.request
  expect(await recipient(named)).toMatchObject({ recipient: 'Same Name' })
  expect(await recipient(addressed)).toMatchObject({ recipient: 'Erased' })
})

describe('evidence', () => {
  const KEPT_DAYS = 30
  const count = async ({ id }: WireOperation) => {
    const rows = await server.db.many(sql`
      select from exchange where company_id = ${company.id} and environment = 'sandbox' and object_id = ${requireId('op', id)}`)
    return rows.length
  }
  const resolve = ({ id }: WireOperation) => post(`sandbox/reviews/${id}/resolve`, { outcome: 'failed' })
  const prune = async () => {
    const job = pruneExchangesJob(server, KEPT_DAYS)
    while (await job.run());
  }

  it('is removed some time after an operation ended, and never while it is open', async () => {
    const done = await run(company, service('unknown'))
    const open = await run(company, service('unknown'))
    await resolve(done)
    const kept = await count(done)
    expect(kept).toBeGreaterThan(0)
    expect(await count(open)).toBe(kept)
    server.clock.advance(KEPT_DAYS * DAY_MS)
    await prune()
    expect(await count(done)).toBe(kept)
    server.clock.advance(1)
    await prune()
    expect(await count(done)).toBe(0)
    expect(await count(open)).toBe(kept)
    // It was created long ago, but it ends only now.
    await resolve(open)
    await prune()
    expect(await count(open)).toBe(kept)
    server.clock.advance(KEPT_DAYS * DAY_MS + 1)
    await prune()
    expect(await count(open)).toBe(0)
    await expectBooksRight(server)
  })

  it.each([
    [
      'exchanges about an open operation',
      `for o in select * from operation where status = 'manual_review' loop
         perform remove_exchanges(o.company_id, o.environment, array[o.id]);
       end loop`,
    ],
    ['who did something', "perform set_config('cardstock.erasing', 'on', true); update audit_log set actor = 'nobody'"],
    ['a record', "perform set_config('cardstock.erasing', 'on', true); delete from audit_log"],
  ])('the database refuses to erase %s', async (_what, statements) => {
    await run(company, service('unknown'))
    const text = `do $$ declare o operation; begin ${statements}; end $$`
    await expect(server.db.run({ name: undefined, text, values: [] })).rejects.toThrow('append-only')
  })
})
