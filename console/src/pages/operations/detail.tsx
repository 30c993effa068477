// One operation: what was asked, and what became of it.
import { useId } from '~/lib/use-id.ts'
import type { Operation } from '@cardstock/sdk'
import { paths } from '~/paths.ts'
import { CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Columns, type Fact, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { OperationTimeline, Sentence, useOperation, useTimeline } from '~/features/operations/progress.tsx'
import { ResolveInSandbox } from './resolve.tsx'
import { describeCreator, titleOf } from '~/features/operations/words.ts'

export default function OperationDetail() {
  const id = useId()
  const query = useOperation(id)
  return <Loaded query={query}>{(operation) => <Shown operation={operation} />}</Loaded>
}

function Shown({ operation }: { operation: Operation }) {
  const { id, status } = operation
  return (
    <>
      <PageHeading
        title={titleOf(operation)}
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
            <Panel title="Request">
              <Asked operation={operation} />
            </Panel>
          }
          side={
            <Panel title="Timeline">
              <OperationTimeline operation={operation} />
            </Panel>
          }
        />
      </Stack>
    </>
  )
}

function Asked({ operation }: { operation: Operation }) {
  const { amount, fee, total, result, failure, createdAt, createdBy, product, holder, card } = operation
  const { data: timeline } = useTimeline(operation)
  const { name, recipient } = timeline?.request ?? {}
  const fact = (title: string, value: string | undefined): Fact | undefined =>
    value === undefined ? undefined : [title, value]
  return (
    <Facts
      facts={[
        ['Amount', <Money key="amount" value={amount} />],
        ['Fee', <Money key="fee" value={fee} />],
        ['Total', <Money key="total" value={total} />],
        fact('Product', product?.name),
        holder === undefined ? undefined : ['Holder', <HolderLink key="holder" {...holder} />],
        fact('Name', name),
        fact('Recipient', recipient),
        card === undefined ? undefined : ['Card', <CardLink key="card" {...card} />],
        result.receipt === undefined ? undefined : ['Receipt', <CopyId key="receipt" value={result.receipt} />],
        fact('Failure', failure === undefined ? undefined : `${failure.message} (${failure.code})`),
        ['Created', <Time key="time" value={createdAt} precision="long" />],
        fact('Ordered by', createdBy === undefined ? undefined : describeCreator(createdBy)),
        timeline === undefined ? undefined : ['Idempotency key', <CopyId key="key" value={timeline.idempotencyKey} />],
      ]}
    />
  )
}

function CardLink({ id, last4 }: { id: string; last4: string }) {
  return (
    <Go href={paths.card(id)}>
      <CardNumber last4={last4} />
    </Go>
  )
}

function HolderLink({ id, name }: { id: string; name: string }) {
  return <Go href={paths.holder(id)}>{name}</Go>
}
