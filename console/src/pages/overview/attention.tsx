// What is under way and what needs a person, and since when.
import type { Operation } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { useInReview } from '~/api/use-in-review.ts'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { formatDuration } from '~/ui/time.tsx'
import { titleOf } from '~/features/operations/words.ts'
import styles from './overview.module.css'

const SHOWN_MAX = 5

export function Attention() {
  const inReview = useInReview()
  const underWay = useData(
    'operations',
    ['under way'],
    async (client, options) => {
      const states = ['processing', 'queued'] as const
      const pages = await Promise.all(
        // One more than is shown tells whether there are more.
        states.map((status) => client.operations.list({ status, limit: SHOWN_MAX + 1 }, options)),
      )
      return pages.flatMap(({ data }) => data)
    },
    { isMoving: true },
  )
  return (
    <Panel title="In progress">
      <Loaded query={inReview}>
        {({ data }) => <Loaded query={underWay}>{(moving) => <InProgress operations={[...data, ...moving]} />}</Loaded>}
      </Loaded>
    </Panel>
  )
}

function InProgress({ operations }: { operations: readonly Operation[] }) {
  return operations.length === 0 ? (
    <Empty icon="check" title="Nothing in progress">
      Operations appear here until they are completed or have failed.
    </Empty>
  ) : (
    <>
      <ul className={styles.list}>
        {operations.slice(0, SHOWN_MAX).map((operation) => (
          <Open key={operation.id} operation={operation} />
        ))}
      </ul>
      {operations.length > SHOWN_MAX ? (
        <p>
          More are in progress. <Go href={paths.operations()}>All operations</Go>
        </p>
      ) : null}
    </>
  )
}

function Open({ operation }: { operation: Operation }) {
  const { id, status, total, createdAt } = operation
  return (
    <li className={styles.item}>
      <div>
        <Go href={paths.operation(id)}>{titleOf(operation)}</Go>
        <div className="muted">
          <Money value={total} /> for {formatDuration(now() - Date.parse(createdAt))}
        </div>
      </div>
      <Status value={status} />
    </li>
  )
}
