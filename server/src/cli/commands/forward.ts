// Sends an event to a URL the way the server would deliver it, signed with the caller's secret. For `cardstock listen` only: the
// URL is the developer's own, so its address is not checked.
import { createHmac } from 'node:crypto'
import { Agent } from 'undici'
import { DEADLINE_MS, send, type Sent } from '../../webhooks/send.ts'
import { signatureHeaders } from '../../webhooks/sign.ts'

/** Returns a secret that depends only on the key, so that a receiver is configured once. It does not reveal the key. */
export function localSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('cardstock listen').digest('base64')}`
}

export interface Forwarder {
  forward(event: { id: string }, at: Date): Promise<Sent>
  close(): Promise<void>
}

export function createForwarder(url: string, secret: string): Forwarder {
  const agent = new Agent()
  return {
    forward(event, at) {
      const body = Buffer.from(JSON.stringify(event))
      return send(agent, { url, headers: signatureHeaders([secret], { id: event.id, at, body }), body }, DEADLINE_MS)
    },
    close: () => agent.close(),
  }
}
