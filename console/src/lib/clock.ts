// The present time. Only countdowns and default ranges use it; times of objects come from the API.

export function now(): number {
  return Date.now()
}

const DAY_MS = 86_400_000

/** A UTC day as the API writes it, such as 2026-01-31; `daysAgo` days before today. */
export function utcDay(daysAgo = 0): string {
  return new Date(now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
}
