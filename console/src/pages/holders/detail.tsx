// One holder: who they are, and their cards.
import { useId } from '~/lib/use-id.ts'
import { Button } from '@mantine/core'
import type { Card, Holder } from '@cardstock/sdk'
import type { ReactNode } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyButton, CopyId } from '~/ui/copy.tsx'
import { ExportCsv } from '~/ui/export-csv.tsx'
import { Go } from '~/ui/go.tsx'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { Empty, Notice } from '~/ui/notice.tsx'
import { Columns, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { Time } from '~/ui/time.tsx'
import { CardNumber } from '~/features/cards/card-number.tsx'
import { HolderDetailsBody } from '~/features/cards/holder-details.tsx'
import { EditHolder } from './edit.tsx'
import { EraseHolder } from './erase.tsx'
import { ERASED, KINDS, OBSTACLES } from './words.ts'
import styles from './holders.module.css'

export default function HolderDetail() {
  const id = useId()
  const query = useData('holders', [id], (client, options) => client.holders.get(id, options), {
    isMoving: (holder) => holder?.status === 'pending' || holder?.erasure === 'running',
  })
  return <Loaded query={query}>{(holder) => <Shown holder={holder} />}</Loaded>
}

function Shown({ holder }: { holder: Holder }) {
  const { may } = useWorkplace()
  const obstacle = holder.erasure === undefined ? OBSTACLES[holder.status] : ERASED[holder.erasure]
  const issue =
    obstacle === undefined && may('cards:write') ? (
      <Button component={Go} href={paths.issueCard({ holderId: holder.id })}>
        Issue card
      </Button>
    ) : null
  return (
    <>
      <PageHeading
        title={holder.name}
        badge={<Status value={holder.status} />}
        parent={{ href: paths.holders(), title: 'Holders' }}
        actions={
          <>
            {issue}
            <EditHolder holder={holder} />
            <EraseHolder holder={holder} />
          </>
        }
      >
        <CopyId value={holder.id} />
      </PageHeading>
      <Stack>
        {obstacle === undefined ? null : (
          <Notice tone="amber">
            <p>{obstacle}</p>
          </Notice>
        )}
        <Columns
          main={may('cards:read') ? <HolderCards holder={holder} issue={issue} /> : null}
          side={
            <>
              <About holder={holder} />
              <Details holder={holder} />
            </>
          }
        />
      </Stack>
    </>
  )
}

const COLUMNS: readonly Column<Card>[] = [
  { title: 'Card', role: 'name', show: ({ last4 }) => <CardNumber last4={last4} /> },
  { title: 'Name', show: ({ name }) => name },
  { title: 'Status', show: ({ status }) => <Status value={status} /> },
  { title: 'Created', show: ({ createdAt }) => <Time value={createdAt} precision="day" /> },
  { title: 'Balance', role: 'amount', show: ({ balance }) => <Money value={balance} /> },
]

/** What fits on the page; the list of cards has the rest. */
const SHOWN_MAX = 20

function HolderCards({ holder, issue }: { holder: Holder; issue: ReactNode }) {
  const query = useData(
    'cards',
    ['of holder', holder.id],
    (client, options) => client.cards.list({ holderId: holder.id, limit: SHOWN_MAX }, options),
    { isMoving: true },
  )
  return (
    <Panel
      title="Cards"
      isFlush
      actions={
        <ExportCsv
          title="Cards"
          size="xs"
          read={(client, filter, options) => client.cards.list(filter, options)}
          filter={{ holderId: holder.id }}
        />
      }
    >
      <Loaded
        query={query}
        skeleton={
          <div className={styles.padded}>
            <Lines count={4} height={28} />
          </div>
        }
      >
        {({ data, nextCursor }) =>
          data.length === 0 ? (
            <Empty icon="card" title="No cards yet" action={issue}>
              Cards for {holder.name} appear here.
            </Empty>
          ) : (
            <>
              <Table
                label="Cards"
                columns={COLUMNS}
                rows={data}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => paths.card(id)}
              />
              {nextCursor === null ? null : (
                <p className={styles.more}>
                  <Go href={paths.cards({ holderId: holder.id })}>All cards of this holder</Go>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function About({ holder }: { holder: Holder }) {
  const { email, kind, externalId } = holder
  return (
    <Panel title="Details">
      <Facts
        facts={[
          [
            'E-mail',
            <span key="email" className={styles.copied}>
              {email} <CopyButton value={email} label="Copy e-mail address" />
            </span>,
          ],
          ['Kind', KINDS[kind]],
          externalId === undefined ? undefined : ['Your id', <CopyId key="external" value={externalId} />],
        ]}
      />
    </Panel>
  )
}

/** Holders of the sandbox need none. */
function Details({ holder }: { holder: Holder }) {
  const { client, environment, may } = useWorkplace()
  if (environment !== 'live' || holder.erasure !== undefined) return null
  return (
    <Panel title="Details for the issuer">
      <HolderDetailsBody
        source={{
          holder,
          mayEnter: may('holders:write'),
          read: (options) => client.holders.details(holder.id, options),
          enter: (entry) => client.holders.enterDetails(holder.id, entry),
        }}
      />
    </Panel>
  )
}
