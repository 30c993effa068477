// A line over days, with the same figures as a table for people who cannot see the line or want to copy the figures.
import { useMemo, useState } from 'react'
import { formatDay } from '~/lib/day.ts'
import { LinePlot } from './line-plot.tsx'
import { formatMoney } from './money.tsx'
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
  const [pointed, point] = useState<number>()
  const shown = points[pointed ?? -1] ?? points.at(-1)
  const plotted = useMemo(
    () => points.map(({ day, value }) => ({ atMs: Date.parse(day), value: Number(value) })),
    [points],
  )
  return (
    <figure className={styles.figure}>
      <p className={styles.value}>
        {shown === undefined ? null : `${formatTime(shown.day, 'day')}: ${formatMoney(shown.value)} ${unit}`}
      </p>
      <LinePlot points={plotted} heightPx={HEIGHT_PX} nameTime={nameDay} isStepped onPoint={point} />
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

/** `15 Nov` */
function nameDay(atMs: number): string {
  return formatDay(new Date(atMs).toISOString().slice(0, 10)).replace(/ \d{4}$/, '')
}
