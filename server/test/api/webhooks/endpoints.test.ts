// /webhook-endpoints over HTTP: registering, changing, limits, refusals, stored secrets; and the related jobs.
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { pruneJob, reencryptSome, webhookJobs } from '../../../src/webhooks/jobs.ts'
import { createSecretBox, makeSecret } from '../../../src/webhooks/secrets.ts'
import { toKey } from '../../../src/keys/schema.ts'
import { findKey } from '../../../src/keys/queries.ts'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { emit, type Endpoint, ENDPOINTS, register } from '../../support/webhooks.ts'
import { type Arrival, until } from '../../support/receiver.ts'
import { prepareReceivers, startServer } from './server.ts'

const DAY_MS = 86_400_000
const URL = 'https://example.com/hooks'

const server = await startServer({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false' })
const listen = prepareReceivers()
let company: TestCompany
beforeEach(async () => {
  company = await server.createCompany()
})

const patch = (id: string, body: unknown) =>
  server.request<Endpoint>('PATCH', `${ENDPOINTS}/${id}`, { token: company.key, body })

describe('POST /webhook-endpoints', () => {
  test('answers 201 with its Location and the secret, which is never shown again', async () => {
    const answer = await server.post<Endpoint>(ENDPOINTS, company.key, {
      url: URL,
      events: ['card.created'],
      description: 'Main',
    })
    expect(answer.status).toBe(201)
    const { secret, ...shown } = answer.body
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    expect(answer.headers.get('location')).toBe(`${ENDPOINTS}/${shown.id}`)
    expect(shown).toEqual({
      id: expect.stringMatching(/^we_[0-9a-f]{32}$/) as string,
      url: URL,
      events: ['card.created'],
      description: 'Main',
      status: 'enabled',
      disabledReason: null,
      health: { lastSuccessAt: null, failingSince: null, failures: 0 },
      environment: 'sandbox',
      createdAt: server.clock.now().toISOString(),
    })
    expect((await server.get(`${ENDPOINTS}/${shown.id}`, company.key)).body).toEqual(shown)
    expect((await server.get(ENDPOINTS, company.key)).body).toEqual({ data: [shown], nextCursor: null })
  })

  test('without a list of events subscribes to all, and * replaces all others', async () => {
    expect((await register(server, company, URL)).events).toEqual(['*'])
    expect((await register(server, company, URL, ['card.created', '*'])).events).toEqual(['*'])
    expect((await register(server, company, URL, ['card.created', 'card.created'])).events).toEqual(['card.created'])
  })

  test.each([
    ['an unknown type', { url: URL, events: ['card.lost'] }],
    ['no types', { url: URL, events: [] }],
    ['no url', { events: ['*'] }],
    ['an unknown field', { url: URL, secret: 'mine' }],
    ['a long description', { url: URL, description: 'x'.repeat(256) }],
    ['a status', { url: URL, status: 'disabled' }],
  ])('with %s answers 400 and registers nothing', async (_what, body) => {
    expectError(await server.post(ENDPOINTS, company.key, body), 'validation_failed')
    expect((await server.get<{ data: unknown[] }>(ENDPOINTS, company.key)).body.data).toEqual([])
  })

  test.each([
    'http://127.0.0.1:9/',
    'https://localhost/',
    'https://[::1]/',
    'https://me:x@example.com/',
    'gopher://example.com/',
  ])('%s answers 400 webhook_url_refused', async (url) => {
    expectError(await server.post(ENDPOINTS, company.key, { url }), 'webhook_url_refused')
  })

  test('in live accepts only https', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    expectError(await server.post(ENDPOINTS, live, { url: 'http://example.com/' }), 'webhook_url_refused')
    expect((await server.post(ENDPOINTS, live, { url: URL })).status).toBe(201)
    expect((await server.get<{ data: unknown[] }>(ENDPOINTS, company.key)).body.data).toEqual([])
  })

  test('accepts ten and refuses the eleventh, even if thirty arrive at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => server.post(ENDPOINTS, company.key, { url: URL })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(expectError(answer, 'webhook_endpoint_limit').details).toEqual({ limit: 10 })
    const live = await server.createKey(company.id, { environment: 'live' })
    expect((await server.post(ENDPOINTS, live, { url: URL })).status).toBe(201)
    const first = answers.find(({ status }) => status === 201)
    await server.request('DELETE', `${ENDPOINTS}/${String(first?.body['id'])}`, { token: company.key })
    expect((await server.post(ENDPOINTS, company.key, { url: URL })).status).toBe(201)
  })
})

describe('PATCH /webhook-endpoints/{id}', () => {
  test('changes only the given fields', async () => {
    const { id, secret: _secret, ...before } = await register(server, company, URL)
    expect((await patch(id, {})).body).toEqual({ id, ...before })
    const changed = await patch(id, { url: 'https://example.com/other', events: ['card.updated'], description: 'New' })
    expect(changed.body).toEqual({
      id,
      ...before,
      url: 'https://example.com/other',
      events: ['card.updated'],
      description: 'New',
    })
    expect((await patch(id, { description: '' })).body.description).toBeNull()
    expect((await patch(id, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabledReason: 'request',
    })
    expect((await patch(id, { status: 'enabled' })).body).toMatchObject({ status: 'enabled', disabledReason: null })
  })

  test('refuses what POST refuses, without changing anything', async () => {
    const { id } = await register(server, company, URL)
    expectError(await patch(id, { url: 'https://10.0.0.1/' }), 'webhook_url_refused')
    expectError(await patch(id, { events: ['nothing'] }), 'validation_failed')
    expectError(await patch(id, { status: 'paused' }), 'validation_failed')
    expect((await server.get<Endpoint>(`${ENDPOINTS}/${id}`, company.key)).body.url).toBe(URL)
  })
})

test("no call finds another company's endpoint, whatever the body", async () => {
  const other = await server.createCompany()
  const { id } = await register(server, company, URL)
  const live = await server.createKey(company.id, { environment: 'live' })
  for (const token of [other.key, live]) {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { url: 'https://10.0.0.1/' }],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', {}],
      ['POST', '/ping', undefined],
      ['POST', '/recover', {}],
    ] as const) {
      expectError(await server.request(method, `${ENDPOINTS}/${id}${path}`, { token, body }), 'not_found')
    }
  }
  expect((await server.get<Endpoint>(`${ENDPOINTS}/${id}`, company.key)).body.url).toBe(URL)
})

test('reading needs webhooks:read and changing needs webhooks:write, and the other scope is not enough', async () => {
  const { id } = await register(server, company, URL)
  const reader = await server.createKey(company.id, { scopes: ['webhooks:read'] })
  const writer = await server.createKey(company.id, { scopes: ['webhooks:write'] })
  expect((await server.get(ENDPOINTS, reader)).status).toBe(200)
  expectError(await server.get(ENDPOINTS, writer), 'scope_missing')
  for (const path of ['/rotate-secret', '/ping', '/recover']) {
    expectError(await server.post(`${ENDPOINTS}/${id}${path}`, reader, {}), 'scope_missing')
  }
  expectError(await server.post(ENDPOINTS, reader, { url: URL }), 'scope_missing')
})

describe('secrets', () => {
  test('are encrypted at rest, with the id of the key', async () => {
    const { secret } = await register(server, company, URL)
    const rows = await server.db.many<{ ciphertext: Buffer; key_id: string }>(
      sql`select ciphertext, key_id from webhook_secret where company_id = ${company.id}`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.key_id).toMatch(/^[0-9a-f]{16}$/)
    for (const form of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64')]) {
      expect(rows[0]?.ciphertext.includes(form)).toBe(false)
    }
  })

  test('can be decrypted only for their own endpoint, unaltered, with a known key', () => {
    const place = { scope: company.scope, endpointId: 'a', id: 'b' }
    const box = createSecretBox(() => [Buffer.alloc(32, 1)])
    const secret = makeSecret()
    const encrypted = box.encrypt(place, secret)
    expect(box.decrypt(place, encrypted)).toBe(secret)
    expect(() => box.decrypt({ ...place, endpointId: 'c' }, encrypted)).toThrow(/authenticate/)
    const altered = Buffer.from(encrypted.ciphertext)
    altered[20] = (altered[20] ?? 0) ^ 1
    expect(() => box.decrypt(place, { ...encrypted, ciphertext: altered })).toThrow(/authenticate/)
    expect(() => createSecretBox(() => [Buffer.alloc(32, 2)]).decrypt(place, encrypted)).toThrow(
      /WEBHOOK_SECRET_KEY_PREVIOUS/,
    )
  })

  test('are encrypted again after a change of the key, and then no longer need the old one', async () => {
    const { id, secret } = await register(server, company, URL)
    const { deriveKey } = await import('../../../src/lib/digest.ts')
    const derived = deriveKey(Buffer.alloc(32, 7), 'webhook secrets')
    const next = Buffer.alloc(32, 9)
    expect(
      await reencryptSome(
        server.db,
        createSecretBox(() => [next, derived]),
      ),
    ).toBe(false)
    const [row] = await server.db.many<{ id: string; endpoint_id: string; ciphertext: Buffer; key_id: string }>(
      sql`select id, endpoint_id, ciphertext, key_id from webhook_secret where company_id = ${company.id}`,
    )
    if (row === undefined) throw new Error('no secret')
    const alone = createSecretBox(() => [next])
    expect(
      alone.decrypt(
        { scope: company.scope, endpointId: row.endpoint_id, id: row.id },
        { ciphertext: row.ciphertext, keyId: row.key_id },
      ),
    ).toBe(secret)
    expect(id).toContain(row.endpoint_id.replaceAll('-', ''))
    await reencryptSome(
      server.db,
      createSecretBox(() => [derived, next]),
    )
  })

  test('at most three old ones keep signing', async () => {
    const { id } = await register(server, company, URL)
    for (let i = 0; i < 6; i += 1) {
      server.clock.advance(1)
      expect((await server.post(`${ENDPOINTS}/${id}/rotate-secret`, company.key, {})).status).toBe(200)
    }
    const rows = await server.db.many(sql`select 1 from webhook_secret where company_id = ${company.id}`)
    expect(rows).toHaveLength(4)
    expectError(
      await server.post(`${ENDPOINTS}/${id}/rotate-secret`, company.key, { overlapSeconds: -1 }),
      'validation_failed',
    )
    expectError(
      await server.post(`${ENDPOINTS}/${id}/rotate-secret`, company.key, { overlapSeconds: 604_801 }),
      'validation_failed',
    )
  })
})

test('a name that resolves to a private address is refused at delivery, and the log says so', async () => {
  const receiver = await listen()
  const guarded = await TestServer.start(
    { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'false' },
    { webhookResolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  )
  const mine = await guarded.createCompany()
  await register(guarded, mine, receiver.url.replace('127.0.0.1', 'hooks.example.com'))
  await emit(guarded, mine)
  const [event] = (await guarded.get<{ data: { id: string }[] }>('/api/v1/events', mine.key)).body.data
  const attempt = await until(async () => {
    const { body } = await guarded.get<{ data: { error: string }[] }>(`/api/v1/events/${event?.id}/attempts`, mine.key)
    return body.data[0]
  })
  expect(attempt).toMatchObject({ statusCode: null, error: 'the address is not a public one', succeeded: false })
  await guarded.stop()
  expect(receiver.connections).toBe(0)
})

test('a server that only this machine reaches takes no URL through a proxy, whose name could be a private address', async () => {
  const local = await TestServer.start()
  const { key } = await local.createCompany()
  const send = (method: string, path: string, url: string, headers: Record<string, string>) =>
    local.request<{ id: string; message: string }>(method, path, { token: key, body: { url }, headers })
  const url = 'http://127.0.0.1:9000/hooks'
  const { status, body: endpoint } = await send('POST', ENDPOINTS, url, {})
  expect(status).toBe(201)
  for (const header of ['x-forwarded-for', 'forwarded', 'via']) {
    const refused = await send('POST', ENDPOINTS, 'https://hooks.example.com/', { [header]: '203.0.113.7' })
    expectError(refused, 'webhook_url_refused')
    expect(refused.body.message).toContain('PUBLIC_URL')
    expectError(await send('PATCH', `${ENDPOINTS}/${endpoint.id}`, url, { [header]: '1' }), 'webhook_url_refused')
  }
  await local.stop()
})

describe('jobs', () => {
  test('a key gets one api_key.expiring seven days before its end, with the key as in the list', async () => {
    const list = async () =>
      (await server.get<{ data: Arrival['event'][] }>('/api/v1/events?type=api_key.expiring', company.key)).body.data
    const expiresAt = new Date(server.clock.now().getTime() + 8 * DAY_MS).toISOString()
    await server.createKey(company.id, { expiresAt })
    await server.createKey(company.id, {})
    const secretBox = createSecretBox(() => [Buffer.alloc(32, 1)])
    const job = webhookJobs({ db: server.db, clock: server.clock, secretBox, retention: { eventsDays: 30 } }).find(
      ({ name }) => name === 'expiring-keys',
    )
    expect(await job?.run()).toBe(false)
    expect(await list()).toEqual([])
    server.clock.advance(DAY_MS)
    const [event] = await until(async () => ((await list()).length > 0 ? list() : undefined))
    const keyId = String(event?.data['id'])
    const row = await findKey(
      server.db,
      company.id,
      keyId.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    )
    expect(event).toMatchObject({ sequence: 1, data: { expiresAt } })
    expect(event?.data).toEqual(row && toKey(row))
    expect(event?.data).not.toHaveProperty('key')
    server.clock.advance(DAY_MS)
    expect(await job?.run()).toBe(false)
    expect(await list()).toHaveLength(1)
  })

  test('events older than thirty days are deleted with their attempts and deliveries, and newer ones stay', async () => {
    const now = server.clock.now()
    // In steps, because on Citus each takes milliseconds, and a statement has fifteen seconds.
    for (let made = 0; made < 2500; made += 500) {
      await server.db.find(sql`
        select count(emit_event(${company.id}, 'sandbox', 'card.updated', gen_random_uuid(), '{}', ${new Date(now.getTime() - 31 * DAY_MS)}))
        from generate_series(1, 500)`)
    }
    await register(server, company, 'https://example.com/', ['card.created'])
    const kept = await emit(server, company)
    await server.db.run(sql`
      insert into delivery (company_id, environment, event_id, endpoint_id, due_at)
      select company_id, environment, id, object_id, created_at from event where company_id = ${company.id}`)
    await server.db.run(sql`
      insert into webhook_attempt (company_id, environment, event_id, id, endpoint_id, number, latency_ms, started_at)
      select company_id, environment, id, id, object_id, 1, 0, created_at from event where company_id = ${company.id}`)
    const job = pruneJob(server.db, () => new Date(now.getTime() - 30 * DAY_MS))
    expect(await job.run()).toBe(false)
    const left = await server.db.many<{ object_id: string }>(
      sql`select object_id from event where company_id = ${company.id}`,
    )
    expect(left.map((row) => row.object_id)).toEqual([kept])
    for (const table of [
      sql`select endpoint_id from delivery where company_id = ${company.id}`,
      sql`select endpoint_id from webhook_attempt where company_id = ${company.id}`,
    ]) {
      expect(await server.db.many(table)).toEqual([{ endpoint_id: kept }])
    }
  })
})
