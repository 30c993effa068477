// Whether each issuer answers, over all processes of the server.
import type { IssuerHealth } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { now } from '~/lib/clock.ts'
import { Notice } from '~/ui/notice.tsx'
import { formatDuration, formatTime } from '~/ui/time.tsx'

export function useProgrammeHealth() {
  return useData('programme', ['health'], (_client, options) => api.admin.programme.health(options), { isMoving: true })
}

/** Says which issuers do not answer. Nothing is shown while all do. */
export function IssuerNotices() {
  const { data } = useProgrammeHealth()
  return data?.issuers.map((issuer) =>
    issuer.notAnsweringSince === null ? null : <IssuerOutage key={issuer.environment} issuer={issuer} />,
  )
}

const NAMES = { live: 'The live issuer', sandbox: 'The sandbox issuer' } as const

function IssuerOutage({ issuer }: { issuer: IssuerHealth }) {
  const { environment, notAnsweringSince, lastAnswerAt, queued, oldestQueuedAt } = issuer
  const waits =
    oldestQueuedAt === null
      ? 'No operations are waiting.'
      : `${queued.toLocaleString('en')} ${queued === 1 ? 'operation is' : 'operations are'} waiting, the oldest for ${formatDuration(now() - Date.parse(oldestQueuedAt))}. Nothing is lost.`
  return (
    <div role="status">
      <Notice tone="red" title={`${NAMES[environment]} has not answered since ${formatTime(notAnsweringSince ?? '')}`}>
        <p>
          {lastAnswerAt === null
            ? 'There was no answer in the last 24 hours.'
            : `Its last answer was at ${formatTime(lastAnswerAt)}.`}{' '}
          {waits}
        </p>
      </Notice>
    </div>
  )
}
