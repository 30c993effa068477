// The rows of a list of any length. They are read and drawn as the person scrolls.
import type { ReactNode } from 'react'
import type { Batch } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import type { Topic } from '~/api/topics.ts'
import { Delayed, Lines, Loaded } from './loaded.tsx'
import { Empty, Problem } from './notice.tsx'
import { Panel } from './page.tsx'
import { RefusalScope, Refused } from './refusal.tsx'
import type { Order } from './sort.ts'
import { type Column, Table } from './table.tsx'
import { type ReadBatch, useFirstBatch, useLongList } from './use-long-list.ts'
import { WindowedTable } from './windowed-table.tsx'
import styles from './list-page.module.css'

export interface LongListProps<Row> {
  /** What the rows are, for screen readers. */
  readonly title: string
  readonly topic: Topic
  /** Reads one batch. Its filter is the filter of the list with `limit` and `cursor`. */
  readonly read: ReadBatch<Row>
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly hrefOf?: (row: Row) => string | undefined
  /** Shown when there is nothing at all: says what these objects are and offers the next step. */
  readonly empty: ReactNode
}

interface Props<Row> extends LongListProps<Row> {
  /** The part of the filter that the page sets, such as the days of an account. */
  readonly base?: Readonly<Record<string, string>>
  readonly order?: Order | undefined
  /** The part of the filter that the person has chosen. */
  readonly chosen: Readonly<Record<string, string>>
  /** What is above the rows: the filters, which show what the list was refused for. */
  readonly head?: ReactNode
}

const SKELETON = <Lines count={8} height={32} />

export function LongList<Row>(props: Props<Row>) {
  const { topic, read, base, chosen, head } = props
  const filter = { ...base, ...chosen }
  const query = useFirstBatch(topic, filter, read)
  return (
    <RefusalScope error={query.error}>
      {head}
      {query.isError && query.data === undefined ? (
        <Refused retry={() => void query.refetch()} />
      ) : (
        <Loaded query={query} skeleton={SKELETON}>
          {(first) => <Rows {...props} filter={filter} first={first} isFormer={query.isPlaceholderData} />}
        </Loaded>
      )}
    </RefusalScope>
  )
}

interface RowsProps<Row> extends Props<Row> {
  readonly filter: Readonly<Record<string, string>>
  /** The first batch. */
  readonly first: Batch<Row>
  /** Whether the batch belongs to the previous filter, because that of this one is still being read. */
  readonly isFormer: boolean
}

function Rows<Row>(props: RowsProps<Row>) {
  const { title, topic, columns, keyOf, hrefOf, order, empty, chosen, filter, first, isFormer } = props
  const { company, environment } = useWorkplace()
  if (first.data.length === 0) {
    // That the former filter had no rows says nothing of this one.
    return isFormer ? (
      <Delayed>{SKELETON}</Delayed>
    ) : (
      <Panel>
        {Object.keys(chosen).length > 0 ? (
          <Empty icon="search" title="No results for these filters">
            Change a filter, or clear all of them.
          </Empty>
        ) : (
          empty
        )}
      </Panel>
    )
  }
  const table = { label: title, columns, keyOf, order, ...(hrefOf === undefined ? {} : { hrefOf }) }
  const name = JSON.stringify([company?.id, environment, topic, title, filter])
  return first.nextCursor === null || isFormer ? (
    <div className={styles.rows} aria-busy={isFormer} data-old={isFormer}>
      {/* The height stays while the count is not known. */}
      {isFormer ? (
        <p className={styles.count}>&nbsp;</p>
      ) : (
        <Count shown={first.data.length} isComplete={first.nextCursor === null} />
      )}
      <Panel isFlush>
        <Table {...table} rows={first.data} />
      </Panel>
    </div>
  ) : (
    <Batches key={name} {...props} name={name} />
  )
}

/** How many rows match. While the end was not read, only that there are more than those that were. */
function Count({ shown, isComplete }: { shown: number; isComplete: boolean }) {
  const figure = `${shown.toLocaleString('en')}${isComplete ? '' : '+'}`
  return (
    <p className={styles.count} role="status">
      {figure} {isComplete && shown === 1 ? 'result' : 'results'}
    </p>
  )
}

function Batches<Row>({ name, ...props }: RowsProps<Row> & { name: string }) {
  const { title, topic, read, columns, keyOf, hrefOf, order, filter, first } = props
  const list = useLongList(topic, filter, read, { name, first })
  return (
    <>
      <Count shown={list.known} isComplete={list.isComplete} />
      <Panel isFlush>
        <WindowedTable
          label={title}
          columns={columns}
          keyOf={keyOf}
          order={order}
          {...(hrefOf === undefined ? {} : { hrefOf })}
          source={list}
        />
      </Panel>
      <Problem error={list.error} retry={list.retry} />
    </>
  )
}
