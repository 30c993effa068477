// Events that are refused: only the server itself refuses them for good, whatever a proxy in front of it answers, and people can have them sent
// again.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { SIGNATURE_HEADER } from '../../src/issuer/http/protocol.ts'
import { sign } from '../../src/issuer/http/signature.ts'
import { must } from '../../src/lib/invariant.ts'
import type { TestCompany } from '../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../support/invoices.ts'
import { LiveWorld, SECRET } from '../support/live.ts'
import { until } from '../support/wait.ts'

/** The longest pause before an event is sent again. */
const PAUSE_MS = 60_000

interface Refusal {
  readonly status: number
  readonly isSigned: boolean
}

let world: LiveWorld
let company: TestCompany
let proxy: Server
/** How the proxy answers instead of the server. Undefined: it forwards the event and the answer. */
let refusal: Refusal | undefined
/** What the proxy has answered instead of the server. */
let refusals: Refusal[]

beforeEach(async () => {
  refusal = undefined
  refusals = []
  world = await LiveWorld.start()
  company = await world.createCompany()
  proxy = await openProxy()
})
afterEach(async () => {
  await expectSoundLedger(world.server)
  await world.stop()
  proxy.closeAllConnections()
  proxy.close()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await buffer(request)).toString()
  const given = String(request.headers[SIGNATURE_HEADER])
  const sealed = (signature: string | null) => (signature === null ? {} : { [SIGNATURE_HEADER]: signature })
  if (refusal === undefined) {
    const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: given }
    const answered = await world.server.request('POST', String(request.url), { body, headers })
    response.writeHead(answered.status, sealed(answered.headers.get(SIGNATURE_HEADER))).end(answered.text)
    return
  }
  const { status, isSigned } = refusal
  refusals.push(refusal)
  const answers = given.slice(given.indexOf('v1=') + 3)
  const signature = sign(SECRET, world.server.clock.now(), { direction: 'answer', status, answers, body: 'no' })
  response.writeHead(status, sealed(isSigned ? signature : null)).end('no')
}

/** Stands between the issuer and the server. */
async function openProxy(): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  world.eventsUrl = `http://127.0.0.1:${address.port}`
  return server
}

/** An invoice that the issuer has seen paid, and the id of the event about it. */
async function pay(): Promise<{ invoice: Invoice; eventId: string }> {
  const { body: invoice } = await world.server.post<Invoice>(INVOICES, company.key, { amount: '100' })
  return { invoice, eventId: (await world.seePayment(invoice.id)).eventId }
}
const eventOf = async (id: string) => must((await world.book()).events.find((event) => event.id === id))
const refused = async () => /^adapter_events_refused (\d+)$/m.exec(await readMetrics())?.[1]

async function readMetrics(): Promise<string> {
  const url = `${world.issuer.controlUrl}/control/metrics`
  return (await fetch(url, { headers: { authorization: `Bearer ${SECRET}` } })).text()
}

test('a proxy that refuses an event for a while loses no deposit: it waits, and the server takes it afterwards', async () => {
  refusal = { status: 502, isSigned: false }
  const { invoice, eventId } = await pay()
  const unsigned = [404, 401, 400, 409].map((status) => ({ status, isSigned: false }))
  // By a signed 401 the server would say that the secrets or the clocks differ.
  for (const next of [...unsigned, { status: 401, isSigned: true }]) {
    refusal = next
    world.server.clock.advance(PAUSE_MS)
    await until(`the proxy has answered ${next.status}`, () => refusals.includes(next))
    await until('the answer is judged', async () => (await eventOf(eventId)).attempts === refusals.length)
    expect(await eventOf(eventId)).toMatchObject({ status: 'waiting' })
  }
  expect(await refused()).toBe('0')
  refusal = undefined
  world.server.clock.advance(PAUSE_MS)
  await world.waitForInvoice(company, invoice.id, 'completed')
  await until('the event is delivered', async () => (await eventOf(eventId)).status === 'delivered')
})

test.each([400, 404, 409])(
  'a signed %d is final and counted, and the event is sent again when a person says so',
  async (status) => {
    refusal = { status, isSigned: true }
    const { invoice, eventId } = await pay()
    await until('it is refused', async () => (await eventOf(eventId)).status === 'refused')
    expect(await refused()).toBe('1')
    refusal = undefined
    expect(await world.control('POST', 'events/resend', {})).toEqual({ events: 1 })
    await world.waitForInvoice(company, invoice.id, 'completed')
    await until('it is delivered', async () => (await eventOf(eventId)).status === 'delivered')
    expect(await refused()).toBe('0')
    expect(await world.control('POST', 'events/resend', {})).toEqual({ events: 0 })
  },
)

test('what the server itself refuses for its content is final', async () => {
  const data = { token: '019cd79e-4600-7001-8d21-5f0c9a6f3b7e', paymentId: 'tx-1', amount: '1', paidAt: 'yesterday' }
  const event = { type: 'invoice.settled', companyId: company.wireId, data }
  const { id } = await world.control<{ id: string }>('POST', 'events', { event })
  await until('it is refused', async () => (await eventOf(id)).status === 'refused')
  expect(await refused()).toBe('1')
})
