// How each issuer answers all processes of the server, with the last day as charts.
import type { IssuerHealth, ProgrammeHealth } from '@cardstock/sdk'
import { now } from '~/lib/clock.ts'
import { Facts, Panel } from '~/ui/page.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { IssuerNotices } from '~/pages/operator/issuer-notices.tsx'
import { HistoryChart } from './history-chart.tsx'
import { ISSUER_SERIES } from './series.ts'
import styles from './health.module.css'

const TITLES = { live: 'Live issuer, last 24 hours', sandbox: 'Sandbox issuer, last 24 hours' } as const

export function Issuers({ health: { issuers, server } }: { health: ProgrammeHealth }) {
  return (
    <>
      <IssuerNotices />
      <div className={styles.grid}>
        {issuers.map((issuer) => (
          <Panel key={issuer.environment} title={TITLES[issuer.environment]}>
            <Issuer issuer={issuer} untilMs={Date.parse(server.until)} />
          </Panel>
        ))}
      </div>
    </>
  )
}

function Issuer({ issuer, untilMs }: { issuer: IssuerHealth; untilMs: number }) {
  const { lastAnswerAt, latencyMs, unansweredShare, queued, oldestQueuedAt, history, notAnsweringSince } = issuer
  return (
    <>
      <Facts
        facts={[
          [
            'Last answer',
            lastAnswerAt === null ? (
              'None in the last 24 hours'
            ) : (
              <Time key="last" value={lastAnswerAt} precision="long" />
            ),
          ],
          notAnsweringSince === null
            ? undefined
            : ['Not answering since', <Time key="since" value={notAnsweringSince} />],
          ['Answer time', latencyMs === null ? '–' : `${latencyMs.toLocaleString('en')} ms`],
          ['Without a clear answer', unansweredShare === null ? '–' : `${Math.round(unansweredShare * 100)}% of calls`],
          ['Operations queued', queued.toLocaleString('en')],
          ['Oldest queued for', oldestQueuedAt === null ? '–' : formatDuration(now() - Date.parse(oldestQueuedAt))],
        ]}
      />
      <p className={styles.text}>Answer time and share are those of the latest five minutes with calls.</p>
      {ISSUER_SERIES.map((series) => (
        <HistoryChart key={series.title} series={series} points={history} untilMs={untilMs} />
      ))}
    </>
  )
}
