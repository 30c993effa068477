// What the adapter needs to know of a provider before it is used: its settings, and how it is made of them.
import type { ValuesOf } from '../../config/config.ts'
import type { Setting } from '../../config/setting.ts'
import type { Clock } from '../../lib/clock.ts'
import type { CardProvider } from '../provider.ts'

export type ProviderSettings = Readonly<Record<string, Setting<unknown>>>

export interface ProviderDefinition<Settings extends ProviderSettings = ProviderSettings> {
  /** By the names of their environment variables. */
  readonly settings: Settings
  /** Throws a ConfigError that says what to set. It calls nobody. */
  create(values: ValuesOf<Settings>, clock: Clock): CardProvider
}

/** Returns the definition itself; its types follow from its settings. */
export function defineProvider<Settings extends ProviderSettings>(
  definition: ProviderDefinition<Settings>,
): ProviderDefinition<Settings> {
  return definition
}
