// Reads the settings of the Stripe provider from the configuration. It refuses incomplete ones, and says what to set.
import type { StripeSettings } from '../../adapter/providers/stripe/settings.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'

export function requireStripe({ reference: { stripe }, secrets }: Config, clock: Clock = systemClock): StripeSettings {
  const { stripeSecretKey: secretKey } = secrets
  if (secretKey === undefined) throw new ConfigError('Set STRIPE_SECRET_KEY, a key of your Stripe account.')
  return { ...stripe, secretKey, clock }
}
