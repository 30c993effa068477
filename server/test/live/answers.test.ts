// The live issuer's answers are checked strictly: if one field is wrong, the outcome is unknown.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAbout } from '../../src/issuer/http/about.ts'
import { createHttpIssuer, type HttpIssuer } from '../../src/issuer/http/issuer.ts'
import { SIGNATURE_HEADER } from '../../src/issuer/http/protocol.ts'
import { sign } from '../../src/issuer/http/signature.ts'
import { cents } from '../../src/lib/money.ts'
import { TestClock } from '../support/harness.ts'
import { findFreePort } from '../support/free-port.ts'
import { SECRET } from '../support/live.ts'

const TOKEN = '019cd79f-3c18-71bc-82b4-a4e200000000'
const OTHER_TOKEN = '019cd79f-3c18-71bc-82b4-a4e200000001'
const clock = new TestClock()
const scope = { companyId: '019cd79f-3c18-71bc-82b4-a4e200000002', environment: 'live' } as const
const request = { scope, token: TOKEN, amount: cents(2_000n), productId: 'prod_service_esim', recipient: 'ada' }
const DONE = { token: TOKEN, kind: 'service', outcome: 'done', amount: '20.00', receipt: 'R-1' }

interface Answer {
  status?: number
  body?: object
  secret?: string
  answers?: string
  at?: Date
  signature?: 'missing'
}
let answer: Answer = {}

const server = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    const asked = String(incoming.headers[SIGNATURE_HEADER])
    const { status = 200, body = DONE, secret = SECRET, answers = asked.slice(asked.indexOf('v1=') + 3) } = answer
    const text = JSON.stringify(body)
    const signed = { direction: 'answer', status, answers, body: text } as const
    if (answer.signature !== 'missing') {
      response.setHeader(SIGNATURE_HEADER, sign(secret, answer.at ?? clock.now(), signed))
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
})
const LIMITS = { invoiceMinimum: cents(1_000n), callsMax: 1, hasFence: true }
let issuer: HttpIssuer
let baseUrl = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  baseUrl = `http://127.0.0.1:${port}`
  const peer = { baseUrl, secret: SECRET, clock, timeoutMs: 60_000 }
  issuer = createHttpIssuer({ ...peer, ...LIMITS, about: createAbout(peer) })
})
afterAll(() => void server.close())

it('a correct answer confirms, and a refusal declines', async () => {
  answer = {}
  expect(await issuer.orderService(request)).toMatchObject({ kind: 'confirmed', receipt: 'R-1' })
  answer = { body: { token: TOKEN, kind: 'service', outcome: 'refused', code: 'limit', message: 'Too much.' } }
  expect(await issuer.orderService(request)).toMatchObject({ kind: 'declined', code: 'limit' })
})

const WRONG: [string, Answer][] = [
  ['another secret', { secret: 'another-secret-of-the-same-length-00000' }],
  ['no signature', { signature: 'missing' }],
  ['the signature of another request', { answers: '0'.repeat(64) }],
  ['an old signature', { at: new Date(clock.now().getTime() - 301_000) }],
  ['another token', { body: { ...DONE, token: OTHER_TOKEN } }],
  ['another kind', { body: { ...DONE, kind: 'topup' } }],
  ['another amount', { body: { ...DONE, amount: '20.01' } }],
  ['no receipt', { body: { ...DONE, receipt: undefined } }],
  ['another status', { status: 201 }],
  ['the promise of a fence that nobody asked for', { body: { token: TOKEN, outcome: 'absent' } }],
]

it.each(WRONG)('an answer with %s leaves the outcome unknown', async (_name, wrong) => {
  answer = wrong
  expect((await issuer.orderService(request)).kind).toBe('unknown')
  expect((await issuer.lookUp({ ...request, kind: 'service', isLast: false })).kind).toBe('unknown')
})

it.each([
  ['another token', { body: { token: OTHER_TOKEN, outcome: 'absent' } }],
  ['another secret', { body: { token: TOKEN, outcome: 'absent' }, secret: 'another-secret-of-the-same-length-00000' }],
  ['status 404', { status: 404, body: { token: TOKEN, outcome: 'absent' } }],
])('a fence whose answer has %s does not rule the request out', async (_name, wrong) => {
  answer = wrong
  expect((await issuer.lookUp({ ...request, kind: 'service', isLast: true })).kind).toBe('unknown')
})

it('a fence that is signed and about this token rules the request out', async () => {
  answer = { body: { token: TOKEN, outcome: 'absent' } }
  expect((await issuer.lookUp({ ...request, kind: 'service', isLast: true })).kind).toBe('absent')
})

it('a look-up that could not be sent gives no answer, and a request that could not be sent counts as not sent', async () => {
  const peer = { baseUrl: `http://127.0.0.1:${await findFreePort()}`, secret: SECRET, clock, timeoutMs: 60_000 }
  const down = createHttpIssuer({ ...peer, ...LIMITS, about: createAbout(peer) })
  expect((await down.orderService(request)).kind).toBe('not_sent')
  for (const isLast of [false, true]) {
    expect((await down.lookUp({ ...request, kind: 'service', isLast })).kind).toBe('not_asked')
    expect((await down.lookUpInvoice({ ...request, isLast })).kind).toBe('not_asked')
  }
})

it('a time-out that is not a whole number of milliseconds is no reason not to ask', async () => {
  answer = {}
  const peer = { baseUrl, secret: SECRET, clock, timeoutMs: 60_000.4 }
  const exact = createHttpIssuer({ ...peer, ...LIMITS, about: createAbout(peer) })
  expect(await exact.orderService(request)).toMatchObject({ kind: 'confirmed' })
})
