// A line over days, with the same figures as a table for people who cannot see the line or want to copy the figures.
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatMoney } from './money.tsx'
import { formatDay } from '~/lib/day.ts'
import { formatTime } from './time.tsx'
import styles from './chart.module.css'

export interface ChartPoint {
  /** A UTC day, such as 2026-01-31. */
  readonly day: string
  /** A decimal string of the API. Only the position of the point on the screen is computed from it. */
  readonly value: string
}

interface Props {
  readonly title: string
  readonly unit: string
  readonly points: readonly ChartPoint[]
}

const HEIGHT_PX = 200

export function Chart({ title, unit, points }: Props) {
  const scheme = useComputedColorScheme()
  const [pointed, point] = useState<ChartPoint>()
  const shown = pointed ?? points.at(-1)
  return (
    <figure className={styles.figure}>
      <p className={styles.value}>
        {shown === undefined ? null : `${formatTime(shown.day, 'day')}: ${formatMoney(shown.value)} ${unit}`}
      </p>
      <Plot key={scheme} points={points} point={point} />
      <details>
        <summary>{title}, as a table</summary>
        <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">{unit}</th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ day, value }) => (
                <tr key={day}>
                  <td>{formatTime(day, 'day')}</td>
                  <td className="tabular">{formatMoney(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** Takes its colours when it is first drawn, so another colour scheme needs another plot. */
function Plot({ points, point }: Pick<Props, 'points'> & { point(pointed: ChartPoint | undefined): void }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null || points.length === 0) return undefined
    const plot = draw(element, points, point)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [points, point])
  return <div ref={place} className={styles.plot} aria-hidden="true" />
}

/** `point` is called with the day under the pointer. */
function draw(
  element: HTMLElement,
  points: readonly ChartPoint[],
  point: (pointed: ChartPoint | undefined) => void,
): uPlot {
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const axis = {
    font: "12px 'Inter Variable', sans-serif",
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      cursor: { y: false, drag: { x: false, y: false } },
      legend: { show: false },
      hooks: { setCursor: [({ cursor }) => point(points[cursor.idx ?? -1])] },
      scales: { y: { range: (_plot, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.1] } },
      axes: [
        { ...axis, values: (_plot, days) => days.map(nameDay), space: 72 },
        { ...axis, size: 64 },
      ],
      series: [
        {},
        {
          stroke: colour('--accent'),
          fill: colour('--accent-soft'),
          width: 2,
          points: { show: false },
          ...(stepped === undefined ? {} : { paths: stepped }),
        },
      ],
    },
    [points.map(({ day }) => Date.parse(day) / 1000), points.map(({ value }) => Number(value))],
    element,
  )
}

/** `15 Nov` */
function nameDay(seconds: number): string {
  return formatDay(new Date(seconds * 1000).toISOString().slice(0, 10)).replace(/ \d{4}$/, '')
}
