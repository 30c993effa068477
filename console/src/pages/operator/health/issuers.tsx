// How each issuer answers all processes of the server, with the last day as charts.
import type { IssuerHealth } from '@cardstock/sdk'
import { now } from '~/lib/clock.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { IssuerNotices, useProgrammeHealth } from '~/pages/operator/issuer-notices.tsx'
import { LiveChart } from './live-chart.tsx'
import styles from './health.module.css'

const TITLES = { live: 'Live issuer, last 24 hours', sandbox: 'Sandbox issuer, last 24 hours' } as const

export function Issuers() {
  const query = useProgrammeHealth()
  return (
    <>
      <IssuerNotices />
      <Loaded query={query}>
        {({ issuers }) => (
          <div className={styles.grid}>
            {issuers.map((issuer) => (
              <Panel key={issuer.environment} title={TITLES[issuer.environment]}>
                <Issuer issuer={issuer} />
              </Panel>
            ))}
          </div>
        )}
      </Loaded>
    </>
  )
}

function Issuer({ issuer }: { issuer: IssuerHealth }) {
  const { lastAnswerAt, latencyMs, unansweredShare, queued, oldestQueuedAt, history, notAnsweringSince } = issuer
  const points = (valueOf: (point: IssuerHealth['history'][number]) => number) =>
    history.map((point) => ({ atMs: Date.parse(point.at), value: valueOf(point) }))
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
          [
            'Without a clear answer',
            unansweredShare === null ? '–' : `${Math.round(unansweredShare * 100)} % of calls`,
          ],
          ['Operations queued', queued.toLocaleString('en')],
          ['Oldest queued for', oldestQueuedAt === null ? '–' : formatDuration(now() - Date.parse(oldestQueuedAt))],
        ]}
      />
      <p className={styles.text}>Answer time and share are those of the latest five minutes with calls.</p>
      <LiveChart title="Time to answer" unit="ms" points={points(({ latencyMs: ms }) => ms ?? 0)} />
      <LiveChart
        title="Calls without a clear answer"
        unit="calls in five minutes"
        points={points((point) => point.unanswered)}
      />
    </>
  )
}
