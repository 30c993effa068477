// How the deposits on the chain stand.
import type { LiveIssuer } from '@cardstock/sdk'
import { asBatch, ExportCsv } from '~/ui/export-csv.tsx'
import { Facts, Panel } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'

type ChainState = NonNullable<NonNullable<LiveIssuer['state']>['deposits']>
type Node = ChainState['nodes'][number]

const AGREEMENT: Readonly<Record<ChainState['agreement'], string>> = {
  one_node: 'Only one node in use',
  agree: 'Agree',
  disagree: 'Disagree: nothing is credited',
  unknown: 'Not known yet',
}
const COLUMNS: readonly Column<Node>[] = [
  { title: 'Node', role: 'name', show: ({ name }) => name },
  { title: 'Newest solid block', show: ({ solidHead }) => solidHead ?? '–' },
  { title: 'Last problem', show: ({ lastError }) => lastError ?? '–' },
]

export function Deposits({ deposits }: { deposits: ChainState }) {
  const { network, message, height, blockTime, lag, agreement, nodes, transfersOpen, received } = deposits
  return (
    <Panel
      title={`Deposits in USDT on TRON (${network})`}
      actions={<ExportCsv title="Nodes" size="xs" read={async () => asBatch(nodes)} filter={{}} />}
    >
      <p>{message}</p>
      <Facts
        facts={[
          ['Received, not yet moved', `${received} USDT`],
          ['Transfers without an invoice', transfersOpen],
          ['Last block read', height ?? '–'],
          ['Time of that block', blockTime === null ? '–' : <Time key="time" value={blockTime} />],
          ['Solid blocks still to read', lag ?? '–'],
          ['Nodes', AGREEMENT[agreement]],
        ]}
      />
      <Table label="Nodes" columns={COLUMNS} rows={nodes} keyOf={({ name }) => name} />
    </Panel>
  )
}
