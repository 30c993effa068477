// How a review ended: who decided it, when and why, and whether this person chose something else.
import type { Review } from '@cardstock/sdk'
import { CopyId } from '~/ui/copy.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { describeDecision, type Outcome } from './words.ts'

interface Props {
  readonly review: Review
  readonly decision: NonNullable<Review['decision']>
  /** What this person chose after the decision had been made. It was not applied. */
  readonly lost: Outcome | undefined
}

export function Decided({ review, decision, lost }: Props) {
  const { outcome, by, byId, at, reason, evidence } = decision
  return (
    <>
      <div role="status">
        <Notice tone={outcome === 'completed' ? 'green' : 'grey'} title={`Decided by ${by}`}>
          <p>
            Decision: {describeDecision(review, outcome)}. This cannot be changed.
            {lost === undefined
              ? null
              : ` Your choice (${describeDecision(review, lost)}) came later and was not applied.`}
          </p>
        </Notice>
      </div>
      <Panel title="Decision">
        <Facts
          facts={[
            ['Outcome', <Status key="outcome" value={outcome} />],
            ['By', by],
            byId === null ? undefined : ['Id', <CopyId key="by" value={byId} />],
            ['Time', <Time key="at" value={at} precision="long" />],
            reason === null ? undefined : ['Reason', reason],
            evidence === null ? undefined : ['Evidence', evidence],
          ]}
        />
      </Panel>
    </>
  )
}
