// A figure of the last day as a line and as a table. Where it is not known, the line has a gap.
import { useMemo, useState } from 'react'
import { inZone, zone } from '~/lib/zone.ts'
import { LinePlot } from '~/ui/line-plot.tsx'
import { type HistoryPoint, historyOf, type Series } from './series.ts'
import styles from './health.module.css'

const HEIGHT_PX = 160

interface Props<Point> {
  readonly series: Series<Point>
  readonly points: readonly Point[]
  /** The end of the history. */
  readonly untilMs: number
}

export function HistoryChart<Point extends { readonly at: string }>({ series, points, untilMs }: Props<Point>) {
  const { title, unit, text, threshold } = series
  const [pointed, point] = useState<number>()
  const history = useMemo(() => historyOf(points, series, untilMs), [points, series, untilMs])
  const shown = history[pointed ?? -1] ?? history.findLast(({ value }) => value !== null)
  return (
    <div className={styles.series}>
      <h3>{title}</h3>
      <p className={styles.figureNow}>
        {shown === undefined ? '–' : formatValue(shown)}
        {shown === undefined ? null : <span className={styles.unit}>{unit.startsWith('%') ? unit : ` ${unit}`}</span>}
      </p>
      <p className={styles.text}>
        {shown === undefined ? 'Not known yet.' : `Five minutes from ${nameTime(shown.atMs)} ${nameZone(shown.atMs)}.`}
      </p>
      <p className={styles.text}>
        {text} {threshold?.text}
      </p>
      <figure className={styles.figure}>
        {shown === undefined ? (
          <p className={styles.waiting}>No figures yet</p>
        ) : (
          <LinePlot
            points={history}
            heightPx={HEIGHT_PX}
            nameTime={nameTime}
            onPoint={point}
            {...(threshold === undefined ? {} : { threshold: threshold.value })}
          />
        )}
        <Figures title={title} unit={unit} history={history} />
      </figure>
    </div>
  )
}

function Figures({ title, unit, history }: { title: string; unit: string; history: readonly HistoryPoint[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}, as a table</summary>
      {isOpen && (
        <div className={styles.scroll} role="region" aria-label={title} tabIndex={0}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Five minutes from ({nameZone(history.at(-1)?.atMs ?? 0)})</th>
                <th scope="col">{unit}</th>
              </tr>
            </thead>
            <tbody>
              {history.toReversed().map((point) => (
                <tr key={point.atMs}>
                  <td className="tabular">{nameTime(point.atMs)}</td>
                  <td className="tabular">{formatValue(point)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}

/** Figures of machines, not money: two decimals at most. */
function formatValue({ value }: HistoryPoint): string {
  return value === null ? 'Not known' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
}

function nameTime(atMs: number): string {
  return inZone(new Date(atMs).toISOString(), zone.get()).minutes
}

const nameZone = (atMs: number) => inZone(new Date(atMs).toISOString(), zone.get()).name
