// Waiting for an operation on the command line: how long it waits, and what it says when the end cannot be read. The server is one
// that answers as the test says.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cardstock } from './in-process.ts'

const ID = 'op_1'
const ORDER = ['--type', 'topup', '--card', 'card_1', '--amount', '10.00']
const COMMANDS = { create: ['operations', 'create', ...ORDER, '--wait'], watch: ['operations', 'watch', ID] }
const operation = (status: string) => ({ id: ID, type: 'topup', status, amount: '10.00', result: { cardId: null } })

let reads: number
let read: (response: ServerResponse) => void
let close: () => Promise<void>
let environ: Record<string, string>

beforeEach(async () => {
  reads = 0
  const server = createServer((request, response) => {
    if (request.method === 'POST') return send(response, 201, operation('queued'))
    reads += 1
    read(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  environ = { CARDSTOCK_URL: `http://127.0.0.1:${port}`, CARDSTOCK_API_KEY: 'cstk_sandbox_1' }
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await close()
})

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body))
}

const refuse = (status: number, code: string) => (response: ServerResponse) =>
  send(response, status, { statusCode: status, code, message: 'No.', requestId: 'req_1' })

const parse = (text: string) => JSON.parse(text) as unknown

const FAILURES: readonly [string, (response: ServerResponse) => void, RegExp][] = [
  ['the key was revoked', refuse(401, 'revoked_api_key'), /No\./],
  ['the key may not read', refuse(403, 'scope_missing'), /No\./],
  ['there are too many requests', refuse(429, 'rate_limited'), /No\./],
  ['the database is away', refuse(503, 'unavailable'), /No\./],
  ['a proxy has lost the server', (response) => response.writeHead(404).end('nope'), /not from a Cardstock server\./],
  ['the connection breaks', (response) => response.destroy(), /Could not reach \S+ \(.+\)\./],
]

test.each(FAILURES)('an order is accepted, and its end cannot be read because %s', async (_name, fails, reason) => {
  read = fails
  const ended = await cardstock([...COMMANDS.create, '--json'], environ)
  expect(ended.code).toBe(4)
  expect(parse(ended.out)).toEqual(operation('queued'))
  const message = readEndUnknown(ended.err)
  expect(message).toMatch(/^op_1 was accepted, and its end could not be read: \S/)
  expect(message).toMatch(reason)
})

test.each(FAILURES)('an operation is watched, and its end cannot be read because %s', async (_name, fails, reason) => {
  read = fails
  const ended = await cardstock([...COMMANDS.watch, '--json'], environ)
  expect(ended).toMatchObject({ code: 4, out: '' })
  const message = readEndUnknown(ended.err)
  expect(message).toMatch(/^The end of op_1 could not be read: \S/)
  expect(message).toMatch(reason)
})

function readEndUnknown(err: string): string {
  const { error } = parse(err) as { error: { code: string; message: string } }
  expect(error.code).toBe('end_unknown')
  expect(error.message).toMatch(/\. Do not order it again\. Run: cardstock operations watch op_1$/)
  return error.message
}

test('an order that is accepted by a server which then ends is not said to be unsent', async () => {
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await fetch(...request)
    if (answer.status === 201) await close()
    return answer
  })
  const ended = await cardstock(COMMANDS.create, environ)
  expect(ended.code).toBe(4)
  expect(ended.out).toMatch(/^id: +op_1\n[^]*status: +queued/)
  expect(ended.err).toMatch(/^op_1 was accepted\. Ctrl-C ends the waiting, not the operation\.\n/)
  expect(ended.err).toContain('(ECONNREFUSED). Do not order it again. Run: cardstock operations watch op_1\n')
  expect(ended.err).not.toContain('Nothing was sent')
})

test.each([
  ['is not known', 404, 'not_found'],
  ['is not an id', 400, 'validation_failed'],
])('an id that %s is refused', async (_name, status, code) => {
  read = refuse(status, code)
  const ended = await cardstock([...COMMANDS.watch, '--json'], environ)
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(parse(ended.err)).toMatchObject({ error: { code, statusCode: status } })
  expect(reads).toBe(1)
})

test.each(Object.entries(COMMANDS))('operations %s waits as long as the operation takes', async (_name, args) => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const end = Date.now() + 10 * 60_000
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_input, init) =>
    init?.method === 'POST'
      ? Response.json(operation('queued'), { status: 201 })
      : Response.json(operation(Date.now() < end ? 'processing' : 'failed')),
  )
  const running = cardstock(args, environ)
  await vi.advanceTimersByTimeAsync(11 * 60_000)
  const ended = await running
  expect(ended).toMatchObject({ code: 1, out: expect.stringContaining('failed') })
  expect(ended.err).toContain('Still processing; Ctrl-C ends the waiting, not the operation.\n')
})

test('an order whose answer was lost names the option with which it is repeated, and with --json the key', async () => {
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await fetch(...request)
    if (answer.status === 201) throw new TypeError('fetch failed', { cause: new Error('the connection broke') })
    return answer
  })
  const order = ['operations', 'create', ...ORDER, '--idempotency-key', 'k-1']
  const text = await cardstock(order, environ)
  expect(text).toMatchObject({ code: 3, out: '' })
  expect(text.err).toContain('Send it again with --idempotency-key "k-1": it is carried out at most once.')
  const { error } = parse((await cardstock([...order, '--json'], environ)).err) as { error: { message: string } }
  expect(error.message).toContain('Send it again with idempotencyKey "k-1": it is carried out at most once.')
})
