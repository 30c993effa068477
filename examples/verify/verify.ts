// Receives webhooks and verifies them with the SDK, in any framework that has the Request and Response of the web.
import { webhooks, WebhookVerificationError } from '@cardstock/sdk'

/** An event has a few kilobytes, but anybody can send a request. */
const BODY_BYTES_MAX = 262_144

export async function receive(request: Request): Promise<Response> {
  try {
    const rawBody = await readRawBody(request)
    const event = await webhooks.verify(rawBody, request.headers, process.env['WEBHOOK_SECRET'] ?? '')
    console.log(event.type, event.data.id)
    return new Response(null, { status: 204 })
  } catch (error) {
    // Not thrown: a client that goes away in the middle of its body must not end the server.
    if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 400 })
    console.error(error)
    return new Response(null, { status: 500 })
  }
}

async function readRawBody(request: Request): Promise<Uint8Array> {
  const body = new Uint8Array(BODY_BYTES_MAX)
  let size = 0
  for await (const chunk of request.body ?? []) {
    if (size + chunk.length > BODY_BYTES_MAX) throw new Error('The body of a request is too large.')
    body.set(chunk, size)
    size += chunk.length
  }
  return body.subarray(0, size)
}
