// Receives webhooks and verifies them with the SDK, in any framework that has the Request and Response of the web.
import { webhooks, WebhookVerificationError } from '@cardstock/sdk'

export async function receive(request: Request): Promise<Response> {
  const rawBody = new Uint8Array(await request.arrayBuffer())
  try {
    const event = await webhooks.verify(rawBody, request.headers, process.env['WEBHOOK_SECRET'] ?? '')
    console.log(event.type, event.data.id)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.code, { status: 400 })
    throw error
  }
}
