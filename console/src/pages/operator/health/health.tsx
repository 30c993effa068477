// The health of the server: the last day of all processes, as lines and as tables.
import type { ProgrammeHealth } from '@cardstock/sdk'
import { useProgrammeHealth } from '~/pages/operator/issuer-notices.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Time } from '~/ui/time.tsx'
import { Updated } from '~/ui/updated.tsx'
import { HistoryChart } from './history-chart.tsx'
import { Issuers } from './issuers.tsx'
import { GROUPS } from './series.ts'
import { Verdict } from './verdict.tsx'
import styles from './health.module.css'

export default function Health() {
  const query = useProgrammeHealth()
  return (
    <>
      <PageHeading title="Health">
        All processes, last 24 hours, in steps of five minutes. For alerts, let Prometheus read /metrics.
        <Updated query={query} />
      </PageHeading>
      <Loaded query={query}>
        {(health) => (
          <Stack>
            <Issuers health={health} />
            <Verdict health={health} />
            <Server server={health.server} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

function Server({ server: { history, until } }: Pick<ProgrammeHealth, 'server'>) {
  const [first] = history
  return (
    <>
      <p className={styles.text}>
        {first === undefined ? (
          'Every process writes its figures once a minute. There are none yet.'
        ) : (
          <>
            Each process writes its figures once a minute. They are shown from <Time value={first.at} /> to{' '}
            <Time value={until} />. Where a line has a gap, no process wrote them, and nothing is known.
          </>
        )}
      </p>
      <div className={styles.grid}>
        {GROUPS.map(({ title, series }) => (
          <Panel key={title} title={title}>
            {series.map((one) => (
              <HistoryChart key={one.title} series={one} points={history} untilMs={Date.parse(until)} />
            ))}
          </Panel>
        ))}
      </div>
    </>
  )
}
