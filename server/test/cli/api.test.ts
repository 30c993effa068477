// `cardstock api`: the real command against a running server, and against servers that do not answer as they should.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IDEMPOTENT_PATHS, METHODS } from '@cardstock/cli'
import type { Balance, Holder } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
let company: TestCompany
const FUNDING = '/api/v1/sandbox/funding'

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
})
afterAll(() => server.stop())

const environ = () => ({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key })
const api = (...args: string[]) => cardstock(['api', ...args], environ())

async function readBalance(): Promise<string> {
  const { code, out } = await api('get', '/api/v1/balance')
  expect(code).toBe(0)
  return (JSON.parse(out) as Balance).available
}

test('a POST that needs an idempotency key gets one, which is printed; with that key again nothing is credited twice', async () => {
  const before = Number(await readBalance())
  const first = await api('POST', FUNDING, '-d', '{"amount":"25.00"}')
  expect([first.code, first.out]).toEqual([0, '{}\n'])
  const [, key = ''] = /^Idempotency-Key: (\S+)\n$/.exec(first.err) ?? []
  expect(key).toMatch(/^[0-9a-f-]{36}$/)
  const again = await api('POST', FUNDING, '-d', '{"amount":"25.00"}', '--idempotency-key', key)
  expect([again.code, again.err]).toEqual([0, `Idempotency-Key: ${key}\n`])
  expect(Number(await readBalance())).toBe(before + 25)
})

test('a refusal prints the body that the server sent, and exits with 1', async () => {
  const missing = await api('GET', '/api/v1/cards/card_none')
  expect([missing.code, missing.err]).toEqual([1, 'Status: 404\n'])
  expect(JSON.parse(missing.out)).toMatchObject({ code: 'not_found', requestId: expect.any(String) })
  const machine = await api('POST', FUNDING, '-d', '{"amount":"many"}', '--json')
  expect([machine.code, machine.err]).toEqual([1, ''])
  expect(JSON.parse(machine.out)).toMatchObject({ code: 'validation_failed' })
})

test('the body can come from a file, and what is not JSON is printed as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-api-'))
  const file = join(folder, 'holder.json')
  writeFileSync(file, JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }))
  const made = await api('POST', '/api/v1/holders', '--data', `@${file}`)
  rmSync(folder, { recursive: true })
  expect([made.code, (JSON.parse(made.out) as Holder).name]).toEqual([0, 'Ada Lovelace'])
  const query = '/api/v1/account-statements?from=2026-03-01&to=2026-03-02&format=csv'
  const plain = await fetch(server.baseUrl + query, { headers: { authorization: `Bearer ${company.key}` } })
  expect(plain.status).toBe(200)
  expect(await api('GET', query)).toEqual({ code: 0, out: await plain.text(), err: '' })
})

test.each([
  [['balance'], ''],
  [
    ['cards', 'freeze', 'card_1'],
    ' It is not known whether the request was carried out. Read the object before you repeat the call.',
  ],
])(
  '%j at an address that is not of a Cardstock server names the address, and where it comes from',
  async (args, next) => {
    const proxy = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const ended = await cardstock(args, { ...environ(), CARDSTOCK_URL: url })
    proxy.close()
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toBe(
      `error: The answer of ${url} (status 200) is not from a Cardstock server. Check its address: CARDSTOCK_URL, --url or the profile.${next}\n`,
    )
  },
)

test.each([
  [['GET', 'api/v1/balance'], 'must begin with a slash'],
  [['GET', 'https://example.com/'], 'must begin with a slash'],
  [['HEAD', '/api/v1/balance'], 'GET, POST, PUT, PATCH, DELETE'],
  [['POST', FUNDING, '-d', '{amount}'], 'not valid JSON'],
  [['POST', FUNDING, '-d', '@/none.json'], '/none.json cannot be read'],
  [['POST', FUNDING, '--idempotency-key', 'a b'], '1 to 128 visible'],
  [['GET', '/api/v1/cards', '-d', '{}'], 'GET has no body'],
])('%j is wrong usage, and nothing is sent', async (args, message) => {
  const ended = await cardstock(['api', ...args], { ...environ(), CARDSTOCK_URL: 'http://127.0.0.1:9' })
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
})

test('without an answer the exit code is 3; the message tells what was not sent from what may have been carried out', async () => {
  const away = await cardstock(['api', 'POST', FUNDING, '-d', '{}'], {
    ...environ(),
    CARDSTOCK_URL: 'http://127.0.0.1:9',
  })
  expect([away.code, away.err]).toEqual([3, expect.stringContaining('Nothing was sent')])
  let requests = 0
  const broken = createServer((request, response) => {
    requests += 1
    if (request.url === '/moved') response.writeHead(302, { location: '/elsewhere' }).end()
    else request.socket.destroy()
  })
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve))
  const address = { ...environ(), CARDSTOCK_URL: `http://127.0.0.1:${(broken.address() as AddressInfo).port}` }
  const lost = await cardstock(['api', 'POST', FUNDING, '-d', '{}', '--idempotency-key', 'mine'], address)
  const moved = await cardstock(['api', 'GET', '/moved'], address)
  await new Promise((resolve) => broken.close(resolve))
  expect([lost.code, lost.err]).toEqual([3, expect.stringContaining('Repeat it with --idempotency-key mine:')])
  expect([moved.code, moved.err]).toEqual([1, 'Status: 302\n'])
  expect(requests).toBe(2)
})

test('it sends a request with every method of the API', async () => {
  const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, object> }
  const methods = new Set(Object.values(paths).flatMap((item) => Object.keys(item).map((name) => name.toUpperCase())))
  expect(new Set(METHODS)).toEqual(methods)
  for (const method of methods) {
    const { err } = await api(method, '/api/v1/balance')
    expect([method, err]).toEqual([method, method === 'GET' ? '' : 'Status: 405\n'])
  }
})

test('the requests that get an idempotency key are those for which the API requires one', () => {
  const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, { post?: unknown }> }
  const required = Object.entries(paths).flatMap(([path, { post }]) =>
    JSON.stringify(post ?? {}).includes('"name":"Idempotency-Key","in":"header","required":true') ? path : [],
  )
  expect(new Set(IDEMPOTENT_PATHS)).toEqual(new Set(required))
})
