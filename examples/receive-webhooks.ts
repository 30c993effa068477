// Receives webhooks: registers an endpoint, orders a service, and waits for its operation.completed event.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Cardstock, WebhookVerificationError } from '@cardstock/sdk'

const cardstock = new Cardstock()
const handled = new Set<string>()
let secret = ''

// Anybody can send a request. An event has a few kilobytes, and the server waits 15 seconds for the answer.
const BODY_BYTES_MAX = 262_144
const limits = { requestTimeout: 15_000, connectionsCheckingInterval: 5_000 }

const server = createServer(limits, (request, response) => void receive(request, response))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const event = await cardstock.webhooks.verify(await readRawBody(request), request.headers, secret)
    response.writeHead(204).end()
    // An event may be delivered more than once; its id is the same each time. Keep the ids where they outlive the program,
    // such as in a table with a unique key.
    if (handled.has(event.id)) return
    handled.add(event.id)
    if (event.type === 'operation.completed') await finish(event.data.id, event.data.result.receipt)
  } catch (error) {
    // Not thrown: a client that goes away in the middle of its body must not end this program.
    const isRefused = error instanceof WebhookVerificationError
    if (!response.headersSent) response.writeHead(isRefused ? 400 : 500).end()
    console.log(isRefused ? `Refused: ${error.code}.` : `Failed: ${String(error)}`)
  }
}

// The raw bytes: a body that was parsed and written again does not verify.
async function readRawBody(request: IncomingMessage): Promise<Buffer> {
  const body = Buffer.allocUnsafe(BODY_BYTES_MAX)
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size + chunk.length > BODY_BYTES_MAX) throw new Error('The body of a request is too large.')
    size += chunk.copy(body, size)
  }
  return body.subarray(0, size)
}

await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const endpoint = await cardstock.webhookEndpoints.create({ url, events: ['operation.completed'] })
secret = endpoint.secret // shown once: keep it

// Somebody who does not know the secret gets nowhere.
const forged = await fetch(url, { method: 'POST', body: '{"type":"operation.completed"}' })
console.log(`A forged request is answered with ${forged.status}.`)

await cardstock.sandbox.fund({ amount: '100.00' })
await cardstock.operations.create({
  type: 'service',
  productId: 'prod_service_esim',
  recipient: 'ada@example.com',
  amount: '20.00',
})

async function finish(operationId: string, receipt: string | undefined): Promise<void> {
  console.log(`Verified: operation ${operationId} is completed with receipt ${receipt}.`)
  await cardstock.webhookEndpoints.delete(endpoint.id)
  server.close()
}
