// The cardholders of a company, for an operator: approved and blocked here.
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { type Holder, type Environment } from '@cardstock/sdk'
import { useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { useData } from '~/api/use-data.ts'
import { HolderDetailsBody } from '~/features/cards/holder-details.tsx'
import { searchOf, useTyped } from '~/features/cards/search.ts'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { Empty, Problem } from '~/ui/notice.tsx'
import { Panel } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { toast } from '~/ui/toast.ts'
import styles from './companies.module.css'

/** The newest; the others are found by a search. */
const SHOWN_MAX = 100

type View = 'pending' | 'all'

type HolderFilter = { readonly environment: Environment; readonly status?: 'pending'; readonly q?: string }

export function CompanyHolders({ companyId, isOperator }: { companyId: string; isOperator: boolean }) {
  const [environment, setEnvironment] = useState<Environment>('live')
  const [view, setView] = useState<View>('pending')
  const [chosen, setChosen] = useState<Holder>()
  const [text, setText] = useState('')
  const found = searchOf(useTyped(text))
  const filter: HolderFilter = { environment, ...(view === 'all' ? {} : { status: view }), ...found }
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
      <Choices {...{ environment, setEnvironment, view, setView, text, setText }} />
      <Problem error={change.error} />
      <Loaded query={query}>
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <NoHolders isSearch={found.q !== undefined} view={view} />
          ) : (
            <>
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
              {nextCursor === null ? null : (
                <p className={styles.more}>Only the newest {SHOWN_MAX} are shown. Search to find the others.</p>
              )}
            </>
          )
        }
      </Loaded>
      {chosen === undefined ? null : (
        <DetailsDialog companyId={companyId} holder={chosen} close={() => setChosen(undefined)} />
      )}
    </Panel>
  )
}

function NoHolders({ isSearch, view }: { isSearch: boolean; view: View }) {
  if (isSearch) {
    return (
      <Empty icon="search" title="No holders found">
        Search by the beginning of a name or an e-mail address. “Show” may also leave some out.
      </Empty>
    )
  }
  return (
    <Empty icon="users" title={view === 'all' ? 'No holders yet' : 'No holders waiting'}>
      In live, an operator must approve a holder before they can get a card.
    </Empty>
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
  readonly text: string
  setText(text: string): void
}

function Choices({ environment, setEnvironment, view, setView, text, setText }: ChoicesProps) {
  return (
    <div className={styles.choices}>
      <TextInput
        label="Search"
        placeholder="Name or e-mail address"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
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
