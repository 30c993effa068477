// Where the parts of a plot go. Nothing here knows what the figures mean.

export interface Spot {
  readonly x: number
  readonly y: number
}

/** Lines across the plot; more make it restless. */
const TICKS_MAX = 5
/** The line stays this far below the top edge. */
const HEADROOM = 1.1
/** Times on the axis stand at least this far apart: `15 Nov` or `17:08:35`, and some space. */
const TIME_PX = 84
/** A time at the right edge would be cut off. */
const TIME_EDGE_PX = 30

/** The range of the values, which always shows zero, and round values in it. */
export function chooseTicks(values: readonly number[]): { ticks: number[]; low: number; high: number } {
  const low = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const high = most <= 0 ? (low < 0 ? 0 : 1) : most * HEADROOM
  const step = roundStep((high - low) / TICKS_MAX)
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  // Computed from whole numbers, so that no value is 0.30000000000000004.
  const ticks = Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)))
  return { ticks, low, high }
}

/** The least of 1, 2, 5, 10, 20 … (and 0.1, 0.2 …) that is not below a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - Number.EPSILON)) ?? 10
  return factor * power
}

/** The positions of the points whose time is named on the axis. */
export function chooseTimes(drawn: readonly Pick<Spot, 'x'>[], right: number): number[] {
  const chosen: number[] = []
  let next = -Infinity
  for (const [position, { x }] of drawn.entries()) {
    if (x < next || x > right - TIME_EDGE_PX) continue
    chosen.push(position)
    next = x + TIME_PX
  }
  return chosen
}

/** The position of the point nearest to a place on the horizontal axis. */
export function nearest(drawn: readonly Pick<Spot, 'x'>[], x: number): number | undefined {
  let best: number | undefined
  for (const [position, spot] of drawn.entries()) {
    if (best === undefined || Math.abs(spot.x - x) < Math.abs((drawn[best]?.x ?? 0) - x)) best = position
  }
  return best
}

/** The parts of a line between its gaps. */
export function partsOf(drawn: readonly (Spot | undefined)[]): Spot[][] {
  const parts: Spot[][] = [[]]
  for (const spot of drawn) {
    if (spot === undefined) parts.push([])
    else parts.at(-1)?.push(spot)
  }
  return parts.filter(({ length }) => length > 0)
}

/** The line through the points as an SVG path. With steps, a value holds until the next point. */
export function pathOf(drawn: readonly Spot[], isStepped: boolean): string {
  return drawn
    .map(({ x, y }, position) => {
      if (position === 0) return `M${x} ${y}`
      return isStepped ? `H${x}V${y}` : `L${x} ${y}`
    })
    .join('')
}
