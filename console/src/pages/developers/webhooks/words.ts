// Endpoints in plain words.
import type { WebhookEndpoint } from '@cardstock/sdk'

export function describeEvents(events: readonly string[]): string {
  if (events.includes('*')) return 'All'
  return events.length === 1 ? (events[0] ?? '') : `${events.length} types`
}

const DISABLED: Readonly<Record<string, string | undefined>> = {
  request: 'It was disabled by your company.',
  gone: 'It answered 410 (Gone), which means that it wants no more events.',
  failures: 'Every attempt failed for five days.',
}

export function describeDisabled({ disabledReason }: WebhookEndpoint): string {
  return DISABLED[disabledReason ?? ''] ?? ''
}
