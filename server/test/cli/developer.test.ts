// What a company's developer looks up and makes happen: `cardstock events`, `webhooks`, `logs`, `sandbox` and `open` against a running server.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  EventResend,
  FundingInvoice,
  Operation,
  Page,
  RequestLog,
  WebhookAttempt,
  WebhookEndpoint,
  WebhookEvent,
} from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { startReceiver, until } from '../support/receiver.ts'
import { emit, register, waitForAttempts } from '../support/webhooks.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
let company: TestCompany

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
})
afterAll(() => server.stop())

const environ = () => ({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key })
const run = (...args: string[]) => cardstock(args, environ())

async function json<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Value
}

describe('deliveries', () => {
  test('an event is found, shown, and delivered again to one endpoint, and each attempt is listed', async () => {
    const [wanted, other] = await Promise.all([startReceiver(), startReceiver(500)])
    const endpoint = await register(server, company, wanted.url, ['card.created'])
    const second = await register(server, company, other.url, ['card.created'])
    const object = await emit(server, company, undefined, 'card.created')
    await emit(server, company, undefined, 'card.updated')
    const { data } = await json<Page<WebhookEvent>>('events', 'list', '--type', 'card.created')
    expect(data.map((event) => event.data.id)).toEqual([object])
    const id = data[0]?.id ?? ''
    expect(await json('events', 'get', id)).toEqual(data[0])
    await Promise.all([wanted.wait(1), other.wait(1)])
    await waitForAttempts(server, company, id, 2)

    const resent = await json<EventResend>('events', 'resend', id, '--endpoint', endpoint.id)
    expect(resent).toEqual({ deliveries: 1 })
    await wanted.wait(2)
    const attempts = await until(async () => {
      const page = await json<Page<WebhookAttempt>>('webhooks', 'attempts', endpoint.id)
      return page.data.length === 2 ? page.data : undefined
    })
    expect(attempts).toMatchObject([{ eventId: id }, { eventId: id, succeeded: true, statusCode: 200 }])
    const all = await json<Page<WebhookAttempt>>('events', 'attempts', id)
    expect(new Set(all.data.map(({ endpointId }) => endpointId))).toEqual(new Set([endpoint.id, second.id]))
    const failed = await run('webhooks', 'attempts', second.id, '--limit', '1')
    expect(failed.out).toMatch(new RegExp(`^\\S+Z +${id} +${second.id} +1 +no +500 `, 'm'))
    const both = await run('events', 'resend', id)
    expect(both).toMatchObject({ code: 0, out: `${id} is sent again to 2 endpoints.\n` })

    const shown = await json<WebhookEndpoint>('webhooks', 'get', endpoint.id)
    expect(shown).toMatchObject({ id: endpoint.id, url: wanted.url, events: ['card.created'] })
    expect(JSON.stringify(shown)).not.toContain(endpoint.secret)
    await Promise.all([wanted.close(), other.close()])
  })

  test('listen refuses a type of event that does not exist, and names those that do', async () => {
    const listen = ['listen', '--forward-to', 'http://127.0.0.1:9/', '--events', 'card.created,card.lost']
    const ended = await run(...listen)
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no type "card\.lost"\. There are: .*card\.updated/),
    })
  })
})

test('a list fits into the terminal, with whole ids, and is not cut in a pipe', async () => {
  const url = `https://example.com/${'long/'.repeat(20)}`
  const { id } = await register(server, company, url, ['api_key.expiring'])
  let text = ''
  const out = {
    write: (part: string | Uint8Array) => (text += Buffer.from(part).toString()),
    isTTY: true,
    columns: 110,
  }
  await createProgram({ out, err: out, environ: { ...environ(), NO_COLOR: '1' } }).run(['webhooks', 'list'])
  const line = text.split('\n').find((each) => each.startsWith(id)) ?? ''
  expect(line).toMatch(/ https:\/\/\S*… /)
  expect(line.length).toBeLessThanOrEqual(110)
  expect((await run('webhooks', 'list')).out).toContain(` ${url} `)
})

test('logs list shows the requests that match every filter', async () => {
  await server.get('/api/v1/cards/card_none', company.key)
  await server.get('/api/v1/cards/card_other', company.key)
  await server.get('/api/v1/products', company.key)
  const filter = ['logs', 'list', '--status', '404', '--path', '/api/v1/cards/card_none']
  const [request] = await until(async () => {
    const { data } = await json<Page<RequestLog>>(...filter)
    return data.length > 0 ? data : undefined
  })
  expect(request).toMatchObject({ status: 404, path: '/api/v1/cards/card_none', errorCode: 'not_found' })
  const ofKey = await json<Page<RequestLog>>(...filter, '--key-id', request?.keyId ?? '', '--from', '2026-01-01')
  expect(ofKey.data).toEqual([request])
  const later = await json<Page<RequestLog>>(...filter, '--from', '2030-01-01')
  expect(later.data).toEqual([])
  expect((await run('logs', 'list', '--key-id', company.key)).code).toBe(2)
})

describe('sandbox', () => {
  test('funds are credited, once for each idempotency key', async () => {
    const readFunds = async () => Number((await json<{ available: string }>('balance')).available)
    const before = await readFunds()
    for (const key of ['one', 'one', 'two'])
      expect(await run('sandbox', 'fund', '40.00', '--idempotency-key', key)).toMatchObject({
        code: 0,
        out: '40.00 USD is credited to the sandbox card account.\n',
      })
    expect(await readFunds()).toBe(before + 80)
  })

  test('an invoice is paid exactly, or too little, and then decided', async () => {
    const exact = await json<FundingInvoice>('invoices', 'create', '--amount', '50')
    expect(await json('sandbox', 'pay', exact.id)).toMatchObject({ id: exact.id, status: 'completed' })
    const short = await json<FundingInvoice>('invoices', 'create', '--amount', '50')
    const paid = await run('sandbox', 'pay', short.id, '--amount', '20')
    expect(paid.out).toMatch(/^status: +manual_review$/m)
    expect(paid.out).toMatch(/^received: +20\.0+$/m)
    const decided = await run('sandbox', 'decide', short.id, 'completed')
    expect(decided).toMatchObject({ code: 0, out: expect.stringMatching(/^status: +completed$/m) })
  })

  test('an operation in review is decided, and an unknown outcome is wrong usage', async () => {
    await run('sandbox', 'fund', '100.00')
    const order = 'operations create --type service --product prod_service_mobile --recipient unknown --amount 10.00'
    const { id } = await json<Operation>(...order.split(' '))
    await until(async () => {
      const { status } = await json<Operation>('operations', 'get', id)
      return status === 'manual_review' ? true : undefined
    })
    expect((await run('sandbox', 'decide', id, 'lost')).code).toBe(2)
    expect(await json('sandbox', 'decide', id, 'failed')).toMatchObject({ id, status: 'failed' })
  })

  test('the server refuses a live key', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    const ended = await cardstock(['sandbox', 'fund', '1.00'], { ...environ(), CARDSTOCK_API_KEY: live })
    expect([ended.code, ended.out]).toEqual([1, ''])
  })
})

describe('open', () => {
  const patterns = readFileSync(new URL('../../../console/src/paths.ts', import.meta.url), 'utf8')

  test('prints the address and starts the program that opens it; without one it says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-open-'))
    const [seen, opener] = [join(folder, 'seen'), join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open')]
    writeFileSync(opener, `#!/bin/sh\necho "$1" > '${seen}.new' && /bin/mv '${seen}.new' '${seen}'\n`)
    chmodSync(opener, 0o755)
    const url = `${server.baseUrl}/developers/webhooks`
    const found = await cardstock(['open', 'webhooks'], { CARDSTOCK_URL: server.baseUrl, PATH: folder })
    expect(found).toEqual({ code: 0, out: `${url}\n`, err: '' })
    await until(() => (existsSync(seen) ? true : undefined))
    expect(readFileSync(seen, 'utf8')).toBe(`${url}\n`)
    const secret = server.baseUrl.replace('://', '://ada:secret@')
    const none = await cardstock(['open'], { CARDSTOCK_URL: `${secret}/`, PATH: join(folder, 'none') })
    expect(none).toMatchObject({ code: 0, out: `${server.baseUrl}/\n`, err: expect.stringContaining('No browser') })
    rmSync(folder, { recursive: true })
  })

  test('knows the pages of the console', async () => {
    const address = { CARDSTOCK_URL: server.baseUrl, PATH: '/none' }
    const wrong = await cardstock(['open', 'nonsense'], address)
    expect(wrong.code).toBe(2)
    const pages = /one of (.*)\./.exec(wrong.err)?.[1]?.split(', ') ?? []
    expect(pages).toContain('logs')
    for (const page of [...pages, 'card_1', 'op_1', 'inv_1', 'hld_1', 'txn_1', 'we_1', 'evt_1']) {
      const { out } = await cardstock(['open', page, '--json'], address)
      const { pathname } = new URL((JSON.parse(out) as { url: string }).url)
      expect(patterns).toContain(`: '${pathname.replace(/\w+_1$/, '$id')}',`)
    }
  })
})
