// What the steps of the Stripe provider share.
import type { Api } from './api.ts'
import type { StripeSettings } from './settings.ts'

export interface Kit {
  readonly api: Api
  readonly settings: StripeSettings
}

/** Returns the idempotency key of a step, which is always the same for the same request and step. Stripe takes up to 255 characters. */
export function keyOf(requestToken: string, stepName: string): string {
  return `cardstock-${requestToken}-${stepName}`
}
