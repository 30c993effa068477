// Reads the settings of the Lithic provider from the configuration. It refuses incomplete ones, and says what to set.
import type { LithicSettings } from '../../adapter/providers/lithic/settings.ts'
import { type Config, ConfigError } from '../../config/config.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'

export function requireLithic({ reference: { lithic }, secrets }: Config, clock: Clock = systemClock): LithicSettings {
  const { lithicApiKey: apiKey } = secrets
  if (apiKey === undefined) throw new ConfigError('Set LITHIC_API_KEY, the key of your Lithic account.')
  if (lithic.mode === 'balance' && lithic.fundingAccount === undefined) {
    throw new ConfigError(
      'Set LITHIC_FUNDING_ACCOUNT, the financial account that pays for cards, or LITHIC_MODE=limit for cards without a balance of their own.',
    )
  }
  return { ...lithic, apiKey, clock }
}
