// `cardstock listen`, `events tail` and `logs tail`: the real command against a running server.
import type { ChildProcess } from 'node:child_process'
import { webhooks } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../src/events/catalogue.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { emit } from '../support/webhooks.ts'
import { startReceiver, until } from '../support/receiver.ts'
import { cardstock } from './in-process.ts'
import { start } from './run.ts'
import * as sdk from '@cardstock/sdk'

let server: TestServer
let company: TestCompany
let environ: Record<string, string>

beforeAll(async () => {
  server = await TestServer.start()
  // The commands show what is created after their start. The server's clock stands still, so set it well ahead of theirs.
  server.clock.set(new Date(Date.now() + 86_400_000).toISOString())
  company = await server.createCompany()
  environ = { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key }
})
afterAll(() => server.stop())

function collect(child: ChildProcess): string[] {
  const lines: string[] = []
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  return lines
}

async function end(child: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exited
}

test('listen refuses a live key and an invalid address', async () => {
  const live = await server.createKey(company.id, { environment: 'live' })
  expect((await cardstock(['listen', '--forward-to', 'http://127.0.0.1:9/', '--key', live], environ)).code).toBe(2)
  expect((await cardstock(['listen', '--forward-to', 'nowhere'], environ)).code).toBe(2)
})

test('listen forwards every new event once, signed with its printed secret', async () => {
  const receiver = await startReceiver()
  const child = start(['listen', '--forward-to', receiver.url, '--json'], environ)
  const lines = collect(child)
  const { secret } = JSON.parse(await until(() => lines[0])) as { secret: string }
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const first = await emit(server, company)
  await receiver.wait(1)
  const second = await emit(server, company)
  await until(() => (receiver.arrivals.some(({ event }) => event.data['id'] === second) ? true : undefined))
  await end(child)
  const ids = receiver.arrivals.map(({ event }) => event.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(receiver.arrivals.some(({ event }) => event.data['id'] === first)).toBe(true)
  for (const { headers, raw, event } of receiver.arrivals) {
    expect(await webhooks.verify(raw, headers, secret)).toEqual(event)
  }
  await receiver.close()
})

test('listen --events forwards only events of these types', async () => {
  const receiver = await startReceiver()
  const types = ['--events', 'card.created, transaction.created']
  const child = start(['listen', '--forward-to', receiver.url, ...types, '--json'], environ)
  const lines = collect(child)
  await until(() => lines[0])
  await emit(server, company, undefined, 'card.updated')
  const wanted = [
    await emit(server, company, undefined, 'card.created'),
    await emit(server, company, undefined, 'transaction.created'),
  ]
  await receiver.wait(2)
  await end(child)
  expect(new Set(receiver.arrivals.map(({ event }) => event.data['id']))).toEqual(new Set(wanted))
  await receiver.close()
})

test('events tail shows new events of the requested type', async () => {
  const child = start(['events', 'tail', '--type', 'card.created', '--json'], environ)
  const lines = collect(child)
  // It shows what happens after it has connected, and nothing tells this test when that is.
  const objects: string[] = []
  await until(async () => {
    await emit(server, company, undefined, 'card.updated')
    objects.push(await emit(server, company, undefined, 'card.created'))
    return lines.some((line) => objects.some((object) => line.includes(object))) ? true : undefined
  })
  await end(child)
  const types = new Set(lines.map((line) => (JSON.parse(line) as { type: string }).type))
  expect(types).toEqual(new Set(['card.created']))
})

test('logs tail shows the requests that match every filter, and not its own', async () => {
  const { body: keys } = await server.get<{ data: sdk.ApiKey[] }>(
    `/admin/v1/companies/${company.wireId}/keys`,
    server.operatorToken,
  )
  const keyId = keys.data.find(({ environment }) => environment === 'sandbox')?.id ?? ''
  const filters = ['--status', '404', '--path', '/api/v1/cards/card_none', '--key-id', keyId]
  const filtered = start(['logs', 'tail', ...filters, '--json'], environ)
  const all = start(['logs', 'tail'], environ)
  const [matching, lines] = [collect(filtered), collect(all)]
  const other = await server.createKey(company.id)
  await server.get('/api/v1/cards/card_none', other)
  await server.get('/api/v1/cards/card_other', company.key)
  await server.get('/api/v1/balance', company.key)
  await server.get('/api/v1/cards/card_none', company.key)
  await until(() => (matching.length > 0 && lines.length >= 4 ? true : undefined))
  // By now several polls have been recorded too.
  await until(async () => {
    const polls = await server.get<{ data: unknown[] }>('/api/v1/request-logs?path=/api/v1/request-logs', company.key)
    return polls.body.data.length > 2 ? true : undefined
  })
  await server.get('/api/v1/products', company.key)
  await until(() => (lines.some((line) => line.includes('/api/v1/products')) ? true : undefined))
  await Promise.all([end(filtered), end(all)])
  expect(matching.map((line) => JSON.parse(line) as sdk.RequestLog)).toMatchObject([
    { status: 404, path: '/api/v1/cards/card_none', keyId, errorCode: 'not_found' },
  ])
  expect(lines.filter((line) => line.includes('request-logs'))).toEqual([])
  expect(lines.some((line) => /  200  GET    \/api\/v1\/balance  \d+ ms  key_/.test(line))).toBe(true)
})

test.each([
  ['--status', 'ok'],
  ['--key', 'cstk_sandbox_secret'],
])('logs tail refuses %s %s', async (option, value) => {
  expect((await cardstock(['logs', 'tail', option, value], environ)).code).toBe(2)
})

test("the SDK's list of event types is the server's", () => {
  expect(sdk.EVENT_TYPES).toEqual(EVENT_TYPES)
})
