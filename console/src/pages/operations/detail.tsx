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
import { nameOf, useHolders, useProducts } from '~/features/cards/use-names.ts'
import { OperationTimeline, Sentence, useOperation, useTimeline } from '~/features/operations/progress.tsx'
import { ResolveInSandbox } from './resolve.tsx'
import { OPERATION_TITLES } from '~/features/operations/words.ts'

export default function OperationDetail() {
  const id = useId()
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
              <OperationTimeline operation={operation} />
            </Panel>
          }
        />
      </Stack>
    </>
  )
}

function Asked({ operation }: { operation: Operation }) {
  const { amount, fee, total, result, failure, createdAt } = operation
  const { data: timeline } = useTimeline(operation)
  const [holders, products] = [useHolders(), useProducts()]
  const { productId, holderId, name, recipient, cardId = result.cardId } = timeline?.request ?? { productId: undefined }
  const fact = (title: string, value: string | undefined): Fact | undefined =>
    value === undefined ? undefined : [title, value]
  return (
    <Facts
      facts={[
        ['Amount', <Money key="amount" value={amount} />],
        ['Fee', <Money key="fee" value={fee} />],
        ['Total', <Money key="total" value={total} />],
        fact('Product', productId === undefined ? undefined : nameOf(products, productId)),
        fact('Holder', holderId === undefined ? undefined : nameOf(holders, holderId)),
        fact('Name', name),
        fact('Recipient', recipient),
        cardId === undefined ? undefined : ['Card', <CardLink key="card" id={cardId} />],
        result.receipt === undefined ? undefined : ['Receipt', <CopyId key="receipt" value={result.receipt} />],
        fact('Failure', failure === undefined ? undefined : `${failure.message} (${failure.code})`),
        ['Created', <Time key="time" value={createdAt} precision="long" />],
        timeline === undefined ? undefined : ['Idempotency key', <CopyId key="key" value={timeline.idempotencyKey} />],
      ]}
    />
  )
}

function CardLink({ id }: { id: string }) {
  return <Go href={paths.card(id)}>{id}</Go>
}
