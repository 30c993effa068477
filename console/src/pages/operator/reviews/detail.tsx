// One review: what is known in three columns, then the form that decides it, or the decision. The second of two people is told whose choice counted.
import { useId } from '~/lib/use-id.ts'
import type { Review } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { formatMoney } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { PageHeading, Stack } from '~/ui/page.tsx'
import { formatDuration } from '~/ui/time.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'
import { Decided } from './decided.tsx'
import { DecisionForm } from './decision-form.tsx'
import { Dossier } from './dossier.tsx'
import { describeReason, type Outcome } from './words.ts'

const PARENT = { href: paths.reviews(), title: 'Reviews' }

export default function ReviewDetail() {
  const id = useId()
  const query = useData('reviews', [id], (_client, options) => api.admin.reviews.get(id, options), { isMoving: true })
  return <Loaded query={query}>{(review) => <Shown review={review} />}</Loaded>
}

function Shown({ review }: { review: Review }) {
  const { me } = useWorkplace()
  // What this person chose when somebody else's decision had counted already.
  const [lost, setLost] = useState<Outcome>()
  const { decision } = review
  // The answer to this person's own decision was lost, and they sent it again.
  const isOwn = decision?.byId === me.id && decision.outcome === lost
  return (
    <>
      <PageHeading title={review.title} badge={<EnvironmentBadge value={review.environment} />} parent={PARENT}>
        <CopyId value={review.id} />
      </PageHeading>
      <Stack>
        {decision === undefined ? (
          <Notice tone="amber" title={`In review for ${formatAge(review)}, ${formatMoney(review.heldAmount)} USD held`}>
            <p>
              {review.reasons.map(describeReason).join(' ')} It stays in review until an operator decides or the issuer
              confirms the outcome.
            </p>
          </Notice>
        ) : (
          <Decided review={review} decision={decision} lost={isOwn ? undefined : lost} />
        )}
        <Dossier review={review} />
        {decision !== undefined ? null : me.programmeRole === 'operator' ? (
          <DecisionForm key={review.id} review={review} onLost={setLost} />
        ) : (
          <Notice tone="grey">
            <p>Your role can read reviews. An operator decides them.</p>
          </Notice>
        )}
      </Stack>
    </>
  )
}

function formatAge({ since }: Review): string {
  return formatDuration(now() - Date.parse(since))
}
