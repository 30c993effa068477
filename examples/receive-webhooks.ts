// Receives webhooks: registers an endpoint, orders a service, and waits for its operation.completed event.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Cardstock, WebhookVerificationError } from '@cardstock/sdk'

const cardstock = new Cardstock()
const handled = new Set<string>()
let secret = ''

const server = createServer((request, response) => void receive(request, response))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The raw bytes: a body that was parsed and written again does not verify.
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    const event = await cardstock.webhooks.verify(Buffer.concat(chunks), request.headers, secret)
    response.writeHead(204).end()
    // An event may be delivered more than once; its id is the same each time.
    if (handled.has(event.id)) return
    handled.add(event.id)
    if (event.type === 'operation.completed') await finish(event.data.id, event.data.result.receipt)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    response.writeHead(400).end()
    console.log(`Refused: ${error.code}.`)
  }
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
