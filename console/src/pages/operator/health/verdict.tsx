// The first problem of the server in words, or that there is none. Issuers that do not answer are named beside it.
import type { ProgrammeHealth } from '@cardstock/sdk'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Notice } from '~/ui/notice.tsx'
import { formatDuration, formatTime } from '~/ui/time.tsx'
import { useProgrammeOverview } from '~/pages/operator/overview.ts'
import { BUCKET_MS } from './series.ts'

/** Until figures are missing for longer, a process may only be late. */
const MISSING_MS_MAX = 2 * BUCKET_MS

export function Verdict({ health: { issuers, server } }: { health: ProgrammeHealth }) {
  const { data: overview } = useProgrammeOverview()
  const last = server.history.at(-1)
  if (!server.databaseUsable) {
    return (
      <Notice tone="red" title="The database is not usable">
        <p>Requests that need it are refused. Look at the server&rsquo;s log.</p>
      </Notice>
    )
  }
  if (last !== undefined && Date.parse(server.until) - Date.parse(last.at) > MISSING_MS_MAX) {
    return (
      <Notice tone="amber" title={`No process has written figures since ${formatTime(endOf(last.at))}`}>
        <p>What happened after that is not known. Look at the server&rsquo;s log.</p>
      </Notice>
    )
  }
  if (last?.callsStopped === true) {
    return (
      <Notice tone="red" title="Some calls of an issuer are stopped">
        <p>The issuer did not answer them, so they wait; nothing is lost. They continue when it answers again.</p>
      </Notice>
    )
  }
  const reviews = overview?.waiting.reviews
  if (reviews !== undefined && reviews.oldest !== null) {
    return (
      <Notice
        tone="amber"
        title={`The oldest review has waited for ${formatDuration(now() - Date.parse(reviews.oldest))}`}
      >
        <p>
          <Go href={paths.reviews()}>Decide what waits</Go>
        </p>
      </Notice>
    )
  }
  const isAnyOut = issuers.some(({ notAnsweringSince }) => notAnsweringSince !== null)
  if (reviews === undefined || isAnyOut) return null
  return (
    <Notice tone="green" title="All is well">
      <p>The database is usable, no issuer has stopped answering, and no review is waiting.</p>
    </Notice>
  )
}

/** The last minute of the figures, at the latest. */
function endOf(at: string): string {
  return new Date(Date.parse(at) + BUCKET_MS).toISOString()
}
