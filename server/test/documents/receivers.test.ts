// Attacks every receiver of webhooks that a reader can copy from the documents and the examples, and then lets it receive a
// genuine event. A new receiver is attacked too.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhooks } from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/wait.ts'
import { ATTACKS, beginSlowly } from './attacks.ts'
import { listReceivers, RunningReceiver } from './receivers.ts'

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const SLOW_CLIENTS = 20

/** What a receiver asks of the API when it starts: an endpoint, whose secret it uses. Nothing is delivered by itself. */
const api = createServer((request, response) => void answer(request, response))
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const part of request) void part
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'we_1', secret: SECRET, status: 'queued' }))
}

beforeAll(() => new Promise<void>((resolve) => void api.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  api.closeAllConnections()
  api.close()
})

/** Answers 2xx only to what is genuine. */
async function deliver(port: number, body: string, headers: Record<string, string>): Promise<number> {
  const answered = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
  await answered.arrayBuffer()
  return answered.status
}

test('the documents and examples have receivers of both kinds', () => {
  const kinds = listReceivers().map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'program').length).toBeGreaterThanOrEqual(2)
  expect(kinds.filter((kind) => kind === 'function').length).toBeGreaterThanOrEqual(2)
})

describe.each(listReceivers())('the receiver of $name', (found) => {
  let receiver: RunningReceiver
  let port: number

  beforeAll(async () => {
    const { port: apiPort } = api.address() as AddressInfo
    receiver = new RunningReceiver(found, {
      WEBHOOK_SECRET: SECRET,
      CARDSTOCK_URL: `http://127.0.0.1:${apiPort}`,
      CARDSTOCK_API_KEY: 'cstk_sandbox_x',
    })
    port = await receiver.port()
    // A program that makes its own endpoint has the secret only then.
    await until('it refuses what is not signed', async () => (await deliver(port, '{}', {})) === 400)
  })
  afterAll(() => receiver.stop())

  test.each(Object.keys(ATTACKS))('survives %s', async (name) => {
    await ATTACKS[name]?.(port)
    expect(await deliver(port, '{}', {})).toBe(400)
    expect(receiver.isAlive).toBe(true)
  })

  test('answers others while clients send slowly, and accepts a genuine event at the end', async () => {
    const slow = beginSlowly(port, SLOW_CLIENTS)
    expect(await deliver(port, '{}', {})).toBe(400)
    for (const socket of slow) socket.resetAndDestroy()
    const data = { id: 'op_1', total: '20.70', result: { receipt: 'rcpt_1' } }
    const event = { id: 'evt_1', type: 'operation.completed', data }
    const { body, headers } = await webhooks.signTestRequest(event, SECRET)
    expect(await deliver(port, body, headers)).toBe(204)
  })
})
