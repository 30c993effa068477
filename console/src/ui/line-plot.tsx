// A line over time, drawn as SVG, with the point under the pointer marked. It is decoration for the eye: whoever uses it also shows the figures as text.
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { chooseTicks, chooseTimes, nearest, partsOf, pathOf, type Spot } from './line-plot-geometry.ts'
import styles from './line-plot.module.css'

export interface PlotPoint {
  readonly atMs: number
  /** Only the position of the point is computed from it. Null leaves a gap. */
  readonly value: number | null
}

interface Props {
  /** In the order of their times. */
  readonly points: readonly PlotPoint[]
  readonly heightPx: number
  /** Names a time on the axis. */
  readonly nameTime: (atMs: number) => string
  /** Whether a value holds until the next point, such as a balance. */
  readonly isStepped?: boolean
  /** A value that is drawn as a dashed line, and always in view. */
  readonly threshold?: number
  /** Called with the position of the point under the pointer. */
  readonly onPoint?: (position: number | undefined) => void
}

/** Room for the values beside the plot: `100,000` in the small type. */
const LEFT_PX = 60
/** Room for the times below the plot. */
const BELOW_PX = 24
/** The line is as thick as this, so that at the top and at the right it needs half of it. */
const LINE_PX = 2
/** The radius of a point that has no neighbours. */
const DOT_PX = 2.5

export function LinePlot({ points, heightPx, nameTime, isStepped = false, threshold, onPoint }: Props) {
  const [place, width] = useWidth()
  const [pointed, setPointed] = useState<number>()
  const choose = (position: number | undefined) => {
    setPointed(position)
    onPoint?.(position)
  }
  const values = points.flatMap(({ value }) => value ?? [])
  const { ticks, low, high } = chooseTicks(threshold === undefined ? values : [...values, threshold])
  const [first, last] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const [right, bottom] = [width - LINE_PX / 2, heightPx - BELOW_PX]
  const x = (atMs: number) => LEFT_PX + ((atMs - first) / (last - first || 1)) * (right - LEFT_PX)
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - LINE_PX / 2)
  const columns = points.map(({ atMs }) => ({ x: x(atMs) }))
  const drawn = points.map(({ atMs, value }) => (value === null ? undefined : { x: x(atMs), y: y(value) }))
  const move = (event: PointerEvent<SVGSVGElement>) =>
    choose(nearest(columns, event.clientX - event.currentTarget.getBoundingClientRect().left))
  const cursor = columns[pointed ?? -1]
  const marked = drawn[pointed ?? -1]
  const parts = partsOf(drawn)
  const floor = y(Math.max(0, low))
  return (
    <div ref={place} className={styles.place} style={{ height: heightPx }} aria-hidden="true">
      {width === 0 ? null : (
        <svg
          className={styles.plot}
          width={width}
          height={heightPx}
          onPointerMove={move}
          onPointerLeave={() => choose(undefined)}
        >
          {ticks.map((value) => (
            <g key={value}>
              <path className={styles.grid} d={`M${LEFT_PX} ${y(value)}H${right}`} />
              <text x={LEFT_PX - 8} y={y(value)} dominantBaseline="middle" textAnchor="end">
                {value.toLocaleString('en')}
              </text>
            </g>
          ))}
          {chooseTimes(columns, right).map((position) => (
            <text key={position} x={columns[position]?.x} y={heightPx - 4} textAnchor="middle">
              {nameTime(points[position]?.atMs ?? 0)}
            </text>
          ))}
          {threshold === undefined ? null : (
            <path className={styles.threshold} d={`M${LEFT_PX} ${y(threshold)}H${right}`} />
          )}
          {parts.map((spots) => (
            <Part key={spots[0]?.x} spots={spots} floor={floor} isStepped={isStepped} />
          ))}
          {cursor === undefined ? null : <path className={styles.cursor} d={`M${cursor.x} 0V${bottom}`} />}
          {marked === undefined ? null : <circle className={styles.mark} cx={marked.x} cy={marked.y} r={4} />}
        </svg>
      )}
    </div>
  )
}

/** A line between two gaps, or a dot where it has only one point. */
function Part({ spots, floor, isStepped }: { spots: readonly Spot[]; floor: number; isStepped: boolean }) {
  const [first] = spots
  if (first === undefined) return null
  if (spots.length === 1) return <circle className={styles.dot} cx={first.x} cy={first.y} r={DOT_PX} />
  const line = pathOf(spots, isStepped)
  return (
    <>
      <path className={styles.area} d={`${line}V${floor}H${first.x}Z`} />
      <path className={styles.line} d={line} />
    </>
  )
}

/** The width of an element, which follows its column. */
function useWidth() {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [place, width] as const
}
