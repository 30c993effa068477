// The health of the server: its metrics since this page began to read them, as lines and as tables.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { idlePollMs } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Notice } from '~/ui/notice.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { Updated } from '~/ui/updated.tsx'
import { useProgrammeHealth } from '~/pages/operator/issuer-notices.tsx'
import { formatFigure, LiveChart } from './live-chart.tsx'
import { type Sample, sumOf } from './metrics.ts'
import { Issuers } from './issuers.tsx'
import { readMetrics } from './read-metrics.ts'
import { GROUPS, type Series } from './series.ts'
import styles from './health.module.css'

/** Some hours, depending on how much else the page reads. */
const SAMPLES_MAX = 360

export default function Health() {
  const queries = useQueryClient()
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const query = useQuery({
    queryKey: ['metrics'],
    queryFn: async ({ signal }) => {
      const sample = await readMetrics({ signal })
      if (sample !== undefined) setSamples((before) => [...before, sample].slice(-SAMPLES_MAX))
      return sample ?? null
    },
    meta: { isPolled: true },
    refetchInterval: () => idlePollMs(queries),
    staleTime: 0,
    retry: false,
  })
  return (
    <>
      <PageHeading title="Health">
        Issuers: all processes, last 24 hours. The charts below them begin when this page is opened. For alerts, let
        Prometheus read /metrics.
        <Updated query={query} />
      </PageHeading>
      <div className={styles.issuers}>
        <Issuers />
      </div>
      <Loaded query={query}>
        {(sample) =>
          sample === null ? (
            <Panel>
              <Empty icon="heart" title="The metrics are not served here">
                They need a token or have a port of their own (METRICS_TOKEN, ADMIN_PORT). Look at them where your
                monitoring reads them.
              </Empty>
            </Panel>
          ) : (
            <Shown samples={samples.length === 0 ? [sample] : samples} now={sample} />
          )
        }
      </Loaded>
    </>
  )
}

function Shown({ samples, now }: { samples: readonly Sample[]; now: Sample }) {
  return (
    <Stack>
      <Verdict now={now} />
      <p className={styles.text}>
        These charts begin at <Time value={new Date(samples[0]?.atMs ?? now.atMs).toISOString()} precision="long" />,
        with what this page has read since. They show the process that answers it, or all processes of its group, and
        not those of other machines.
      </p>
      <div className={styles.grid}>
        {GROUPS.map(({ title, series }) => (
          <Panel key={title} title={title}>
            {series.map((one) => (
              <Line key={one.title} series={one} samples={samples} />
            ))}
          </Panel>
        ))}
      </div>
    </Stack>
  )
}

/** Returns the first problem in words, or that there is none. */
function Verdict({ now }: { now: Sample }) {
  const { data } = useProgrammeHealth()
  const isAnyOut = data === undefined || data.issuers.some(({ notAnsweringSince }) => notAnsweringSince !== null)
  const inReview = sumOf(now, 'reviews_open')
  const oldestMs = sumOf(now, 'review_oldest_age_seconds') * 1000
  if (now.values.get('database_usable') === 0) {
    return (
      <Notice tone="red" title="The database is not usable">
        <p>Requests that need it are refused. Look at the server&rsquo;s log.</p>
      </Notice>
    )
  }
  if (sumOf(now, 'issuer_circuit_open') > 0) {
    return (
      <Notice tone="red" title="The issuer does not answer">
        <p>Some or all requests are waiting; nothing is lost. They continue when the issuer answers again.</p>
      </Notice>
    )
  }
  if (inReview > 0) {
    return (
      <Notice tone="amber" title={`The oldest review has waited for ${formatDuration(oldestMs)}`}>
        <p>
          <Go href={paths.reviews()}>Decide what waits</Go>
        </p>
      </Notice>
    )
  }
  // What other processes see is said above.
  if (isAnyOut) return null
  return (
    <Notice tone="green" title="All is well">
      <p>The database is usable, the issuers answer, and no review is waiting.</p>
    </Notice>
  )
}

function Line({ series, samples }: { series: Series; samples: readonly Sample[] }) {
  const points = samples.map((sample, index) => ({
    atMs: sample.atMs,
    value: series.at(sample, samples[index - 1] ?? sample),
  }))
  return (
    <div className={styles.series}>
      <h3>{series.title}</h3>
      <p className={styles.figureNow}>{formatFigure(points.at(-1)?.value ?? 0)}</p>
      <p className={styles.text}>{series.text}</p>
      <LiveChart title={series.title} unit={series.unit} points={points} />
    </div>
  )
}
