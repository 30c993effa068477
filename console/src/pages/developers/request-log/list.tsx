// What programs asked with the company's keys, and how each request was answered.
import type { RequestLog } from '@cardstock/sdk'
import { useState } from 'react'
import type { Filter } from '~/ui/filters.tsx'
import { ListPage } from '~/ui/list-page.tsx'
import { Empty } from '~/ui/notice.tsx'
import { Badge } from '~/ui/status.tsx'
import type { Column } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { DeveloperLinks } from '~/pages/developers/links.tsx'
import { RequestDialog } from './request-dialog.tsx'
import styles from './request-log.module.css'

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'Status', type: 'text', placeholder: '404' },
  { name: 'path', label: 'Path', type: 'text', placeholder: '/api/v1/operations' },
  { name: 'keyId', label: 'Key', type: 'text', placeholder: 'key_…' },
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
]

export default function Requests() {
  const [opened, setOpened] = useState<RequestLog>()
  const columns: readonly Column<RequestLog>[] = [
    {
      title: 'Request',
      role: 'name',
      show: (log) => (
        <button type="button" className={styles.open} onClick={() => setOpened(log)}>
          <code>
            {log.method} {log.path}
          </code>
        </button>
      ),
    },
    { title: 'Status', show: (log) => <Answer log={log} /> },
    { title: 'Error', show: ({ errorCode }) => (errorCode === null ? '–' : errorCode) },
    { title: 'Time', show: ({ createdAt }) => <Time value={createdAt} precision="long" /> },
    {
      title: 'Duration',
      role: 'amount',
      show: ({ durationMs }) => <span className="tabular">{durationMs.toLocaleString('en')} ms</span>,
    },
  ]
  return (
    <>
      <ListPage<RequestLog>
        title="Request log"
        topic="request-logs"
        read={(client, filter, options) => client.requestLogs.list(filter, options)}
        filters={FILTERS}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty icon="code" title="No requests yet">
            Requests made with your keys appear here within seconds and are kept for up to seven days. Under heavy load,
            some requests are not recorded. Secrets are left out.
          </Empty>
        }
      >
        <DeveloperLinks guide="errors" />
      </ListPage>
      {opened === undefined ? null : <RequestDialog log={opened} close={() => setOpened(undefined)} />}
    </>
  )
}

function Answer({ log: { status } }: { log: RequestLog }) {
  const isFine = status < 400
  return (
    <Badge
      tone={isFine ? 'green' : status < 500 ? 'amber' : 'red'}
      shape={isFine ? 'check' : status < 500 ? 'triangle' : 'cross'}
    >
      {String(status)}
    </Badge>
  )
}
