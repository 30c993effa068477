// Many operations from one file, on the command line and over HTTP: every row is priced first, each is carried out once, and too many requests
// only make it slower.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BulkItem, checkBulk, parseBulk, sendBulk } from '@cardstock/sdk/bulk'
import { Cardstock } from '@cardstock/sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
let company: TestCompany
let folder: string
let holderId: string

beforeAll(async () => {
  server = await TestServer.start()
  folder = mkdtempSync(join(tmpdir(), 'cardstock-bulk-'))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  company = await server.createCompany()
  await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
  const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
  holderId = (await server.post<{ id: string }>('/api/v1/holders', company.key, holder)).body.id
})

const run = (...args: string[]) => cardstock(args, { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: company.key })
const api = (fetch?: typeof globalThis.fetch, maxRetries = 0) =>
  new Cardstock({ baseUrl: server.baseUrl, apiKey: company.key, fetch, maxRetries })

async function countOperations(): Promise<number> {
  return (await server.get<{ data: unknown[] }>('/api/v1/operations', company.key)).body.data.length
}

function save(name: string, ...rows: string[]): string {
  const path = join(folder, name)
  writeFileSync(path, ['holderId,productId,amount,name', ...rows, ''].join('\n'))
  return path
}

test('a file is checked, sent once however often it is sent, and corrected in its result', async () => {
  const path = save('cards.csv', `${holderId},prod_card_virtual,25.00,Travel`, `${holderId},prod_card_virtual,5.00,Tea`)
  const checked = await run('bulk', 'check', path)
  expect(checked).toMatchObject({ code: 1 })
  expect(checked.out).toMatch(/^2 +ready .*28\.05/m)
  expect(checked.out).toMatch(/^3 +refused .*at least "10\.00"/m)
  expect(await run('bulk', 'send', path)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was sent') as string,
  })
  expect(await countOperations()).toBe(0)

  const result = join(folder, 'result.csv')
  expect((await run('bulk', 'send', path, '--skip-refused', '--output', result)).out).toContain(
    '1 refused, 1 accepted; 28.05 USD reserved.',
  )
  const again = await run('bulk', 'send', path, '--skip-refused')
  expect(again.out).toContain('1 refused, 1 sent before.')
  expect(await countOperations()).toBe(1)

  writeFileSync(result, readFileSync(result, 'utf8').replace('5.00,Tea', '15.00,Tea'))
  expect((await run('bulk', 'send', result)).out).toContain('1 sent before, 1 accepted; 18.03 USD reserved.')
  expect(await countOperations()).toBe(2)
  expect((await run('bulk', 'send', path, '--skip-refused', '--batch', 'second')).out).toContain('1 accepted')
  expect(await countOperations()).toBe(3)
})

test('a file that costs more than is available is not begun', async () => {
  const path = save('dear.csv', ...Array.from({ length: 4 }, () => `${holderId},prod_card_virtual,25.00,`))
  const ended = await run('bulk', 'send', path)
  expect(ended).toMatchObject({
    code: 2,
    err: expect.stringContaining('costs 112.20 USD and 100.00 USD is available') as string,
  })
  expect(await countOperations()).toBe(0)
})

test('a file that cannot be used, and a result file that exists, are refused before anything is sent', async () => {
  const path = save('one.csv', `${holderId},prod_card_virtual,25.00,`)
  expect(await run('bulk', 'send', path, '--output', path)).toMatchObject({ code: 2 })
  expect(await run('bulk', 'check', join(folder, 'missing.csv'))).toMatchObject({ code: 2 })
  expect((await run('bulk', 'template', 'topup')).out).toBe('cardId,amount\r\ncard_…,50.00\r\n')
  expect(await countOperations()).toBe(0)
})

test('a lost answer leaves rows unknown or unsent, and the same file finds out and sends the rest', async () => {
  const file = parseBulk(
    readFileSync(
      save('lost.csv', ...['25', '10', '11'].map((amount) => `${holderId},prod_card_virtual,${amount},`)),
      'utf8',
    ),
  )
  const checked = await checkBulk(api(), file)
  let sent = 0
  const cut: typeof fetch = async (...request) => {
    const answer = await fetch(...request)
    sent += 1
    if (sent === 1) throw new TypeError('the connection broke')
    return answer
  }
  const first = await sendBulk(api(cut), checked)
  expect(first.stoppedBy).toMatchObject({ code: 'unreachable' })
  expect(statesOf(first.items)).toContain('unknown')
  const second = await sendBulk(api(), await checkBulk(api(), file))
  expect(second.stoppedBy).toBeUndefined()
  for (const state of statesOf(second.items)) expect(['sent before', 'accepted']).toContain(state)
  expect(await countOperations()).toBe(3)
})

test('a 429 is waited for as long as the server says, and no row is lost or sent twice', async () => {
  const file = parseBulk(readFileSync(save('limited.csv', `${holderId},prod_card_virtual,25,`), 'utf8'))
  const refused: string[] = []
  const limited: typeof fetch = async (input, init) => {
    const route = `${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`
    if (refused.includes(route)) return fetch(input, init)
    refused.push(route)
    const body = { statusCode: 429, code: 'rate_limited', message: 'Too many.', requestId: 'req_1' }
    return Response.json(body, { status: 429, headers: { 'retry-after': '0' } })
  }
  const sent = await sendBulk(api(limited), await checkBulk(api(limited), file))
  expect(statesOf(sent.items)).toEqual(['accepted'])
  expect(refused).toEqual(['GET /api/v1/operations', 'POST /api/v1/quotes', 'POST /api/v1/operations'])
  expect(await countOperations()).toBe(1)
})

describe('a row whose answer was lost, and which is then refused', () => {
  const { fetch } = globalThis
  const isOrder = (method: string | undefined, url: string) =>
    method === 'POST' && new URL(url).pathname === '/api/v1/operations'

  /** The first order is carried out and its answer is lost; the next ones get these answers. */
  function loseFirst(...statuses: number[]): typeof fetch {
    let orders = 0
    return async (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      if (!isOrder(init?.method, url)) return fetch(input, init)
      orders += 1
      const status = statuses[orders - 2]
      if (status !== undefined) {
        const body = { statusCode: status, code: 'some_code', message: 'No.', requestId: 'req_1' }
        return Response.json(body, { status, headers: { 'retry-after': '0' } })
      }
      await fetch(input, init)
      throw new TypeError('the connection broke')
    }
  }

  const parse = (name: string) => parseBulk(readFileSync(save(name, `${holderId},prod_card_virtual,25,`), 'utf8'))

  afterEach(() => {
    vi.restoreAllMocks()
  })

  test.each([
    ['for a reason of its own', [400], undefined],
    ['because the key was revoked', [401], { statusCode: 401 }],
    [
      'because the key was revoked, after a 429 that used up the tries of the first call',
      [429, 401],
      { statusCode: 401 },
    ],
  ])('%s, is unknown, and the same file finds it', async (_name, statuses, stoppedBy) => {
    const file = parse('refused.csv')
    const sent = await sendBulk(api(loseFirst(...statuses), 1), await checkBulk(api(), file))
    expect(statesOf(sent.items)).toEqual(['unknown'])
    expect(sent.items[0]?.message).toContain('No.')
    if (stoppedBy === undefined) expect(sent.stoppedBy).toBeUndefined()
    else expect(sent.stoppedBy).toMatchObject(stoppedBy)
    expect(statesOf(await checkBulk(api(), file))).toEqual(['sent before'])
    expect(await countOperations()).toBe(1)
  })

  test('is no success of the command, which says what to do', async () => {
    const path = save('command.csv', `${holderId},prod_card_virtual,25,`)
    vi.spyOn(globalThis, 'fetch').mockImplementation(loseFirst(400))
    const ended = await run('bulk', 'send', path)
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('not known whether 1 of the rows was carried out'),
    })
    expect(ended.out).toContain('1 unknown')
    expect((await run('bulk', 'send', path)).out).toContain('1 sent before')
    expect(await countOperations()).toBe(1)
  })
})

test('a price that changes between the check and the sending refuses the row and charges nothing', async () => {
  const file = parseBulk(readFileSync(save('price.csv', `${holderId},prod_card_virtual,25,`), 'utf8'))
  const [item] = await checkBulk(api(), file)
  const sent = await sendBulk(api(), [{ ...item, total: '1.00' } as BulkItem])
  expect(sent.items[0]).toMatchObject({
    state: 'refused',
    message: expect.stringContaining('not the expected one') as string,
  })
  expect(await countOperations()).toBe(0)
})

const statesOf = (items: readonly BulkItem[]) => items.map(({ state }) => state)
