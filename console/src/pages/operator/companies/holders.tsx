// The cardholders of a company, for an operator: approved and blocked here.
import { Button, NativeSelect } from '@mantine/core'
import { type Holder, type Environment } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './companies.module.css'

/** The newest; what waits comes first when it is asked for. */
const SHOWN_MAX = 100

type View = 'pending' | 'all'

export function CompanyHolders({ companyId, isOperator }: { companyId: string; isOperator: boolean }) {
  const [environment, setEnvironment] = useState<Environment>('live')
  const [view, setView] = useState<View>('pending')
  const filter = { environment, limit: SHOWN_MAX, ...(view === 'all' ? {} : { status: view }) }
  const query = useData('holders', ['of company', companyId, filter], (_client, options) =>
    api.admin.holders.list(companyId, filter, options),
  )
  const change = useAction(
    ({ id, status }: Pick<Holder, 'id' | 'status'>) =>
      api.admin.holders.setStatus(companyId, id, { environment, status }),
    {
      refreshes: ['holders', 'programme', 'audit-log'],
      onDone: ({ name, status }) => toast(status === 'active' ? `${name} approved.` : `${name} blocked.`),
    },
  )
  return (
    <Panel title="Holders" isFlush>
      <div className={styles.choices}>
        <NativeSelect
          label="Environment"
          value={environment}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'sandbox', label: 'Sandbox' },
          ]}
          onChange={(event) => setEnvironment(event.currentTarget.value as Environment)}
        />
        <NativeSelect
          label="Show"
          value={view}
          data={[
            { value: 'pending', label: 'Waiting for approval' },
            { value: 'all', label: 'All' },
          ]}
          onChange={(event) => setView(event.currentTarget.value as View)}
        />
      </div>
      <Problem error={change.error} />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="users" title={view === 'all' ? 'No holders yet' : 'No holder waits'}>
              A holder in live gets a card only after an operator has approved them.
            </Empty>
          ) : (
            <Table
              label="Holders"
              columns={isOperator ? [...COLUMNS, actionsColumn((chosen) => void change.run(chosen))] : COLUMNS}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

const COLUMNS: readonly Column<Holder>[] = [
  { title: 'Holder', role: 'name', show: ({ name }) => name },
  { title: 'E-mail', show: ({ email }) => email },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
]

function actionsColumn(run: (change: Pick<Holder, 'id' | 'status'>) => void): Column<Holder> {
  return {
    title: 'Actions',
    show: ({ id, name, status, erasure }) =>
      erasure !== undefined ? null : (
        <span className={styles.buttons}>
          {status === 'active' ? null : (
            <Button size="xs" aria-label={`Approve ${name}`} onClick={() => run({ id, status: 'active' })}>
              Approve
            </Button>
          )}
          {status === 'blocked' ? null : (
            <Button
              size="xs"
              variant="default"
              aria-label={`Block ${name}`}
              onClick={() => run({ id, status: 'blocked' })}
            >
              Block
            </Button>
          )}
        </span>
      ),
  }
}
