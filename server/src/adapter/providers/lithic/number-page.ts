// The page of Lithic on which a holder sees the number of a card. Its address is signed here with the key, so that neither the number nor the
// key passes through the server. Lithic's newer pages each show one field inside a page of ours; this one shows the whole card.
import { createHmac } from 'node:crypto'
import type { LithicSettings } from './settings.ts'

/** How long the address of Lithic's page with a card number works: until it is opened, and no longer than needed. */
const LIFETIME_MS = 60_000

export function numberPageOf(
  { url, apiKey, clock }: LithicSettings,
  cardToken: string,
): { readonly url: string; readonly expiresAt: Date } {
  const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS)
  const request = JSON.stringify({ token: cardToken, expiration: expiresAt.toISOString() })
  const query = new URLSearchParams({
    embed_request: Buffer.from(request).toString('base64'),
    hmac: createHmac('sha256', apiKey).update(request).digest('base64'),
  })
  return { url: `${url.replace(/\/$/, '')}/v1/embed/card?${query.toString()}`, expiresAt }
}
