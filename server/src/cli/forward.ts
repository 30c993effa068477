// Sends an event to a URL the way the server would deliver it, signed with the caller's secret. For `cardstock listen` only: the
// URL is the developer's own, so its address is not checked.
import type { Forward } from '@cardstock/cli'
import { Agent } from 'undici'
import { systemClock } from '../lib/clock.ts'
import { DEADLINE_MS, send } from '../webhooks/send.ts'
import { signatureHeaders } from '../webhooks/sign.ts'

export function createForward(url: string, secret: string): Forward {
  const agent = new Agent()
  return async (event) => {
    const body = Buffer.from(JSON.stringify(event))
    const headers = signatureHeaders([secret], { id: event.id, at: systemClock.now(), body })
    const { statusCode, error } = await send(agent, { url, headers, body }, DEADLINE_MS)
    return statusCode ?? error ?? 'failed'
  }
}
