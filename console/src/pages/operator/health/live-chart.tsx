// A line over the last minutes, and the same figures as a table.
import { inZone, zone } from '~/lib/zone.ts'
import { LinePlot, type PlotPoint } from '~/ui/line-plot.tsx'
import styles from './health.module.css'

const HEIGHT_PX = 160

export function LiveChart({ title, unit, points }: { title: string; unit: string; points: readonly PlotPoint[] }) {
  return (
    <figure className={styles.figure}>
      {points[0]?.atMs === points.at(-1)?.atMs ? (
        <p className={styles.waiting}>Collecting data…</p>
      ) : (
        <LinePlot points={points} heightPx={HEIGHT_PX} nameTime={nameTime} />
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
