// The progress of an operation: one sentence, then its timeline. It updates by itself, and screen readers announce the sentence.
import { Button } from '@mantine/core'
import type { Operation } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel, Stack } from '~/ui/page.tsx'
import { Timeline } from '~/ui/timeline.tsx'
import { stepsOf } from './steps.ts'
import { describeOperation, isMoving } from './words.ts'

export function useOperation(id: string) {
  return useData('operations', [id], (client, options) => client.operations.get(id, options), { isMoving })
}

/** What was asked for and what happened. It is read again whenever the status changes. */
export function useTimeline({ id, status }: Operation) {
  return useData('operations', [id, 'timeline', status], (client, options) => client.operations.timeline(id, options), {
    isMoving: status === 'processing',
    keepsFormer: true,
  })
}

export function OperationTimeline({ operation }: { operation: Operation }) {
  const query = useTimeline(operation)
  return <Loaded query={query}>{({ steps }) => <Timeline steps={stepsOf(operation, steps)} />}</Loaded>
}

const AGAIN: Readonly<Record<Operation['type'], string>> = {
  issue: 'Issue another card',
  topup: 'Top up again',
  service: 'Order again',
}

/** Takes the place of a form after it was sent. */
export function Progress({ id, again }: { id: string; again: () => void }) {
  const query = useOperation(id)
  return (
    <Loaded query={query}>
      {(operation) => (
        <Stack>
          <Sentence operation={operation} />
          <Panel title="Timeline">
            <OperationTimeline operation={operation} />
          </Panel>
          <div>
            {operation.result.cardId === undefined ? null : (
              <Button component={Go} href={paths.card(operation.result.cardId)} mr="xs">
                Open card
              </Button>
            )}
            <Button component={Go} href={paths.operation(operation.id)} variant="default" mr="xs">
              Open operation
            </Button>
            <Button variant="subtle" color="gray" onClick={again}>
              {AGAIN[operation.type]}
            </Button>
          </div>
        </Stack>
      )}
    </Loaded>
  )
}

const TONES = { queued: 'grey', processing: 'blue', completed: 'green', failed: 'red', manual_review: 'amber' } as const

export function Sentence({ operation }: { operation: Operation }) {
  return (
    <div role="status">
      <Notice tone={TONES[operation.status]}>
        <p>{describeOperation(operation)}</p>
      </Notice>
    </div>
  )
}
