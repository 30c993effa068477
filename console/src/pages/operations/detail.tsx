// One operation: what was asked, and what became of it.
import type { Operation } from '@cardstock/sdk'
import { useParams } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Go } from '../../ui/go.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Columns, Facts, PageHeading, Panel, Stack } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { Sentence, useOperation } from './progress.tsx'
import { ResolveInSandbox } from './resolve.tsx'
import { stepsOf } from './steps.ts'
import { OPERATION_TITLES } from './words.ts'

export default function OperationDetail() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useOperation(id)
  return <Loaded query={query}>{(operation) => <Shown operation={operation} />}</Loaded>
}

function Shown({ operation }: { operation: Operation }) {
  const { id, type, status } = operation
  return (
    <>
      <PageHeading
        title={OPERATION_TITLES[type]}
        badge={<Status value={status} />}
        parent={{ href: paths.operations(), title: 'Operations' }}
        actions={<ResolveInSandbox operation={operation} />}
      >
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        <Sentence operation={operation} />
        <Columns
          main={
            <Panel title="What was asked">
              <Asked operation={operation} />
            </Panel>
          }
          side={
            <Panel title="Timeline">
              <Timeline steps={stepsOf(operation)} />
            </Panel>
          }
        />
      </Stack>
    </>
  )
}

function Asked({ operation }: { operation: Operation }) {
  const { amount, fee, total, result, failure, createdAt } = operation
  return (
    <Facts
      facts={[
        ['Amount', <Money key="amount" value={amount} />],
        ['Fee', <Money key="fee" value={fee} />],
        ['Total', <Money key="total" value={total} />],
        ['Created', <Time key="time" value={createdAt} precision="long" />],
        result.cardId === undefined
          ? undefined
          : [
              'Card',
              <Go key="card" href={paths.card(result.cardId)}>
                {result.cardId}
              </Go>,
            ],
        result.receipt === undefined ? undefined : ['Receipt', <CopyId key="receipt" value={result.receipt} />],
        failure === undefined ? undefined : ['Failure', `${failure.message} (${failure.code})`],
      ]}
    />
  )
}
