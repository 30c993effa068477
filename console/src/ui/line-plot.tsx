// A line over time, drawn as SVG, with the point under the pointer marked. It is decoration for the eye: whoever uses it also shows the figures as text.
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { chooseTicks, chooseTimes, nearest, pathOf } from './line-plot-geometry.ts'
import styles from './line-plot.module.css'

export interface PlotPoint {
  readonly atMs: number
  /** Only the position of the point is computed from it. */
  readonly value: number
}

interface Props {
  /** In the order of their times. */
  readonly points: readonly PlotPoint[]
  readonly heightPx: number
  /** Names a time on the axis. */
  readonly nameTime: (atMs: number) => string
  /** Whether a value holds until the next point, such as a balance. */
  readonly isStepped?: boolean
  /** Called with the position of the point under the pointer. */
  readonly onPoint?: (position: number | undefined) => void
}

/** Room for the values beside the plot: `100,000` in the small type. */
const LEFT_PX = 60
/** Room for the times below the plot. */
const BELOW_PX = 24
/** The line is as thick as this, so that at the top and at the right it needs half of it. */
const LINE_PX = 2

export function LinePlot({ points, heightPx, nameTime, isStepped = false, onPoint }: Props) {
  const [place, width] = useWidth()
  const [pointed, setPointed] = useState<number>()
  const choose = (position: number | undefined) => {
    setPointed(position)
    onPoint?.(position)
  }
  const values = points.map(({ value }) => value)
  const { ticks, low, high } = chooseTicks(values)
  const [first, last] = [points[0]?.atMs ?? 0, points.at(-1)?.atMs ?? 0]
  const [right, bottom] = [width - LINE_PX / 2, heightPx - BELOW_PX]
  const x = (atMs: number) => LEFT_PX + ((atMs - first) / (last - first || 1)) * (right - LEFT_PX)
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - LINE_PX / 2)
  const drawn = points.map(({ atMs, value }) => ({ x: x(atMs), y: y(value) }))
  const move = (event: PointerEvent<SVGSVGElement>) =>
    choose(nearest(drawn, event.clientX - event.currentTarget.getBoundingClientRect().left))
  const marked = pointed === undefined ? undefined : drawn[pointed]
  const line = pathOf(drawn, isStepped)
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
          {chooseTimes(drawn, right).map((position) => (
            <text key={position} x={drawn[position]?.x} y={heightPx - 4} textAnchor="middle">
              {nameTime(points[position]?.atMs ?? 0)}
            </text>
          ))}
          <path className={styles.area} d={`${line}V${y(Math.max(0, low))}H${LEFT_PX}Z`} />
          <path className={styles.line} d={line} />
          {marked === undefined ? null : (
            <>
              <path className={styles.cursor} d={`M${marked.x} 0V${bottom}`} />
              <circle className={styles.mark} cx={marked.x} cy={marked.y} r={4} />
            </>
          )}
        </svg>
      )}
    </div>
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
