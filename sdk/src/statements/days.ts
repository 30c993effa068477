// UTC days as statements write them, such as 2026-01-31.

export const DAY_MS = 86_400_000

/** Returns the start of the day, or undefined if the calendar has no such day. Date.parse would accept 2026-02-30. */
export function findDay(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00.000Z`)
  return Number.isNaN(day.getTime()) || dayOf(day) !== text ? undefined : day
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10)
}
