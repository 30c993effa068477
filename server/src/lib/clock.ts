// The only source of the present time. Tests hand in a fixed one.
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
