// The first page of an operator: what waits and since when, the money of the whole programme, and how the issuers answer.
import type { MoneyTotals, ProgrammeOverview, Waiting } from '@cardstock/sdk'
import { now } from '~/lib/clock.ts'
import { paths } from '~/paths.ts'
import { Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty } from '~/ui/notice.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { Updated } from '~/ui/updated.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'
import { IssuerNotices } from '~/pages/operator/issuer-notices.tsx'
import { useProgrammeOverview } from '~/pages/operator/overview.ts'

export default function Programme() {
  const query = useProgrammeOverview()
  return (
    <>
      <PageHeading title="Programme">
        What is waiting for you, and the balances of all companies.
        <Updated query={query} />
      </PageHeading>
      <Loaded query={query}>
        {({ waiting, money }) => (
          <Stack>
            <IssuerNotices />
            <WaitingPanel waiting={waiting} />
            <Panel title="Money" isFlush>
              <Table label="Money" columns={MONEY_COLUMNS} rows={money} keyOf={({ environment }) => environment} />
            </Panel>
          </Stack>
        )}
      </Loaded>
    </>
  )
}

interface Line extends Waiting {
  readonly title: string
  readonly href: string
}

const LINE_COLUMNS: readonly Column<Line>[] = [
  { title: 'Task', role: 'name', show: ({ title }) => title },
  {
    title: 'Waiting',
    role: 'figure',
    show: ({ count }) => <span className="tabular">{count.toLocaleString('en')}</span>,
  },
  { title: 'Oldest since', show: ({ oldest }) => (oldest === null ? '–' : <Time value={oldest} />) },
  {
    title: 'Waiting for',
    show: ({ oldest }) => (oldest === null ? '–' : formatDuration(now() - Date.parse(oldest))),
  },
]

/** Leads to the company whose object has waited the longest. */
function hrefOf({ companyId }: Waiting): string {
  return companyId === null ? paths.companies() : paths.company(companyId)
}

function WaitingPanel({ waiting }: { waiting: ProgrammeOverview['waiting'] }) {
  const { verifications, holders, reviews, failingEndpoints } = waiting
  const lines: Line[] = [
    { title: 'Reviews to decide', href: paths.reviews(), ...reviews },
    { title: 'Companies to verify', href: paths.companies({ verification: 'pending' }), ...verifications },
    { title: 'Holders to approve', href: hrefOf(holders), ...holders },
    { title: 'Failing webhook endpoints', href: hrefOf(failingEndpoints), ...failingEndpoints },
  ].filter(({ count }) => count > 0)
  return (
    <Panel title="Waiting for you" isFlush={lines.length > 0}>
      {lines.length === 0 ? (
        <Empty icon="check" title="Nothing waiting">
          Decisions for you to make and failing webhook endpoints appear here.
        </Empty>
      ) : (
        <Table
          label="Waiting for you"
          columns={LINE_COLUMNS}
          rows={lines}
          keyOf={({ title }) => title}
          hrefOf={({ href }) => href}
        />
      )}
    </Panel>
  )
}

const MONEY_COLUMNS: readonly Column<MoneyTotals>[] = [
  { title: 'Environment', role: 'name', show: ({ environment }) => <EnvironmentBadge value={environment} /> },
  {
    title: 'Companies',
    role: 'figure',
    show: ({ companies }) => <span className="tabular">{companies.toLocaleString('en')}</span>,
  },
  { title: 'Available', role: 'figure', show: ({ available }) => <Money value={available} /> },
  { title: 'Held', role: 'figure', show: ({ held }) => <Money value={held} /> },
  { title: 'On cards', role: 'figure', show: ({ onCards }) => <Money value={onCards} /> },
]
