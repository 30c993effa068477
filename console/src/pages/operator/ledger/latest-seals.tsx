// The newest seals, on the page of the ledger.
import { api } from '~/api/client.ts'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Table } from '~/ui/table.tsx'
import { keyOfSeal, SEAL_COLUMNS } from './seal-columns.tsx'

const SHOWN_MAX = 5

export function LatestSeals() {
  const query = useData(
    'ledger',
    ['seals'],
    (_client, options) => api.admin.books.seals({ limit: SHOWN_MAX }, options),
    { isMoving: true },
  )
  return (
    <Panel title="Latest seals" isFlush actions={<Go href={paths.seals()}>All seals</Go>}>
      <Loaded query={query} skeleton={<Lines count={SHOWN_MAX} height={28} />}>
        {({ data }) =>
          data.length === 0 ? (
            <NoSeals />
          ) : (
            <Table label="Latest seals" columns={SEAL_COLUMNS} rows={data} keyOf={keyOfSeal} />
          )
        }
      </Loaded>
    </Panel>
  )
}

export function NoSeals() {
  return (
    <Empty icon="scale" title="No seals yet">
      New entries are sealed about every ten seconds: the hash of an account&rsquo;s entries is stored with the time.
      Keep a copy of the newest seals elsewhere, so that you can prove later that no earlier entry was changed.
    </Empty>
  )
}
