// A line over the last minutes, and the same figures as a table.
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { inZone, zone } from '~/lib/zone.ts'
import styles from './health.module.css'

export interface Point {
  readonly atMs: number
  readonly value: number
}

const HEIGHT_PX = 160
const AXIS_PX = 48

export function LiveChart({ title, unit, points }: { title: string; unit: string; points: readonly Point[] }) {
  const scheme = useComputedColorScheme()
  return (
    <figure className={styles.figure}>
      {points[0]?.atMs === points.at(-1)?.atMs ? (
        <p className={styles.waiting}>Collecting data …</p>
      ) : (
        <Plot key={scheme} points={points} />
      )}
      <details>
        <summary>{title}, as a table</summary>
        <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Time ({nameZone(points.at(-1)?.atMs ?? 0)})</th>
                <th scope="col">{unit}</th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ atMs, value }) => (
                <tr key={atMs}>
                  <td className="tabular">{nameTime(atMs)}</td>
                  <td className="tabular">{formatFigure(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** Figures of machines, not money: two decimals at most. */
export function formatFigure(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
}

function nameTime(atMs: number): string {
  const { minutes, seconds } = inZone(new Date(atMs).toISOString(), zone.get())
  return minutes + seconds.slice(0, 3)
}

const nameZone = (atMs: number) => inZone(new Date(atMs).toISOString(), zone.get()).name

function Plot({ points }: { points: readonly Point[] }) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const drawn = draw(element)
    plot.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawn.destroy()
    }
  }, [])
  useEffect(() => {
    plot.current?.setData([points.map(({ atMs }) => atMs / 1000), points.map(({ value }) => value)])
  }, [points])
  return <div ref={place} className={styles.plot} aria-hidden="true" />
}

function draw(element: HTMLElement): uPlot {
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const axis = {
    font: "12px 'Inter Variable', sans-serif",
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      cursor: { y: false, drag: { x: false, y: false } },
      legend: { show: false },
      scales: { y: { range: (_plot, _low, high) => [0, high <= 0 ? 1 : high * 1.2] } },
      axes: [
        { ...axis, values: (_plot, times) => times.map((seconds) => nameTime(seconds * 1000)), space: 80 },
        { ...axis, size: AXIS_PX },
      ],
      series: [{}, { stroke: colour('--accent'), fill: colour('--accent-soft'), width: 2, points: { show: false } }],
    },
    [[], []],
    element,
  )
}
