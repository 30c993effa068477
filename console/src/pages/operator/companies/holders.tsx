// The cardholders of a company, for an operator: approved and blocked here.
import { Button, Modal, NativeSelect } from '@mantine/core'
import { type Holder, type Environment } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { HolderDetailsBody } from '~/features/cards/holder-details.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
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

type HolderFilter = { readonly environment: Environment; readonly status?: 'pending' }

export function CompanyHolders({ companyId, isOperator }: { companyId: string; isOperator: boolean }) {
  const [environment, setEnvironment] = useState<Environment>('live')
  const [view, setView] = useState<View>('pending')
  const [chosen, setChosen] = useState<Holder>()
  const filter: HolderFilter = { environment, ...(view === 'all' ? {} : { status: view }) }
  const query = useData('holders', ['of company', companyId, filter], (_client, options) =>
    api.admin.holders.list(companyId, { ...filter, limit: SHOWN_MAX }, options),
  )
  const change = useAction(
    ({ id, status }: Pick<Holder, 'id' | 'status'>) =>
      api.admin.holders.setStatus(companyId, id, { environment, status }),
    {
      refreshes: ['holders', 'programme', 'audit-log'],
      onDone: ({ status }) => toast(status === 'active' ? 'Holder approved.' : 'Holder blocked.'),
    },
  )
  return (
    <Panel title="Holders" isFlush actions={<SaveHolders companyId={companyId} filter={filter} />}>
      <Choices {...{ environment, setEnvironment, view, setView }} />
      <Problem error={change.error} />
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="users" title={view === 'all' ? 'No holders yet' : 'No holders waiting'}>
              In live, an operator must approve a holder before they can get a card.
            </Empty>
          ) : (
            <Table
              label="Holders"
              columns={
                isOperator
                  ? [
                      ...COLUMNS,
                      actionsColumn({
                        change: (wanted) => void change.run(wanted),
                        // Cards of the sandbox need no details of their holder.
                        showDetails: environment === 'live' ? setChosen : undefined,
                      }),
                    ]
                  : COLUMNS
              }
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {chosen === undefined ? null : (
        <DetailsDialog companyId={companyId} holder={chosen} close={() => setChosen(undefined)} />
      )}
    </Panel>
  )
}

function SaveHolders({ companyId, filter }: { companyId: string; filter: HolderFilter }) {
  return (
    <ExportCsv
      title="Holders"
      size="xs"
      read={(_client, chosen, options) =>
        api.admin.holders.list(companyId, { ...chosen, environment: filter.environment }, options)
      }
      filter={filter}
    />
  )
}

interface ChoicesProps {
  readonly environment: Environment
  setEnvironment(environment: Environment): void
  readonly view: View
  setView(view: View): void
}

function Choices({ environment, setEnvironment, view, setView }: ChoicesProps) {
  return (
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
  )
}

function DetailsDialog({ companyId, holder, close }: { companyId: string; holder: Holder; close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title={`Details of ${holder.name} for the issuer`}
      closeButtonProps={{ 'aria-label': 'Close this dialog' }}
    >
      <HolderDetailsBody
        source={{
          holder,
          mayEnter: true,
          read: (options) => api.admin.holders.details(companyId, holder.id, options),
          enter: (entry) => api.admin.holders.enterDetails(companyId, holder.id, entry),
        }}
      />
    </Modal>
  )
}

const COLUMNS: readonly Column<Holder>[] = [
  { title: 'Holder', role: 'name', show: ({ name }) => name },
  { title: 'E-mail', show: ({ email }) => email },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
]

interface Actions {
  change(wanted: Pick<Holder, 'id' | 'status'>): void
  readonly showDetails: ((holder: Holder) => void) | undefined
}

function actionsColumn({ change: run, showDetails }: Actions): Column<Holder> {
  return {
    title: 'Actions',
    show: (holder) => {
      const { id, name, status, erasure } = holder
      return erasure !== undefined ? null : (
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
          {showDetails === undefined ? null : (
            <Button size="xs" variant="default" aria-label={`Details of ${name}`} onClick={() => showDetails(holder)}>
              Details
            </Button>
          )}
        </span>
      )
    },
  }
}
