// One invoice: how to pay it, whether the payment has arrived, and what was credited.
import { useId } from '~/lib/use-id.ts'
import type { FundingInvoice } from '@cardstock/sdk'
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData, useRefresh } from '~/api/use-data.ts'
import { paths } from '~/paths.ts'
import { CopyButton, CopyId } from '~/ui/copy.tsx'
import { Go } from '~/ui/go.tsx'
import { Loaded } from '~/ui/loaded.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Columns, type Fact, Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { Status } from '~/ui/status.tsx'
import { Time } from '~/ui/time.tsx'
import { CancelInvoice } from './cancel-invoice.tsx'
import { InvoiceTimeline } from './invoice-timeline.tsx'
import { PayPanel, WhatIf } from './pay-panel.tsx'
import { DecideInSandbox, SimulateTransfer } from './simulate.tsx'
import { useIsOver } from './time-left.tsx'
import { describeInvoice, describeOver, isMoving, TONES } from './words.ts'
import styles from './fund.module.css'

export default function Invoice() {
  const id = useId()
  const query = useData('invoices', [id], (client, options) => client.invoices.get(id, options), { isMoving })
  useBalanceAfterCredit(query.data?.status)
  return <Loaded query={query}>{(invoice) => <Shown invoice={invoice} readAtMs={query.dataUpdatedAt} />}</Loaded>
}

/** The credit also changes the balance, which other pages have read before. */
function useBalanceAfterCredit(status: string | undefined): void {
  const refresh = useRefresh()
  const before = useRef(status)
  useEffect(() => {
    if (before.current !== undefined && before.current !== status && status === 'completed')
      void refresh(['balance', 'statements', 'invoices'])
    before.current = status
  }, [refresh, status])
}

function Shown({ invoice, readAtMs }: { invoice: FundingInvoice; readAtMs: number }) {
  const { id, status, depositAmount } = invoice
  const { may } = useWorkplace()
  const isOver = status === 'expired' || status === 'failed'
  const isUnreachable = useIsOver(invoice, readAtMs)
  const isPayable = status === 'pending' && !isUnreachable
  const another =
    isOver && may('funding:write') ? (
      <Button component={Go} href={paths.fund()} variant="default">
        Create invoice
      </Button>
    ) : null
  return (
    <>
      <PageHeading
        title={`Invoice for ${formatMoney(depositAmount)} USD`}
        badge={<Status value={status} />}
        parent={{ href: paths.fund(), title: 'Invoices' }}
        actions={
          <>
            <SimulateTransfer invoice={invoice} />
            <DecideInSandbox invoice={invoice} />
            <CancelInvoice invoice={invoice} />
            {another}
          </>
        }
      >
        <CopyId value={id} />
      </PageHeading>
      <Stack>
        <div role="status">
          <Notice tone={isUnreachable ? 'amber' : TONES[status]}>
            <p>{isUnreachable ? describeOver(invoice) : describeInvoice(invoice)}</p>
          </Notice>
        </div>
        <Columns
          main={
            isPayable ? (
              <>
                <PayPanel invoice={invoice} />
                <WhatIf />
              </>
            ) : (
              <Figures invoice={invoice} />
            )
          }
          side={
            <>
              {isPayable ? <Figures invoice={invoice} /> : null}
              <InvoiceTimeline invoice={invoice} />
              {isPayable ? <PayLink url={invoice.payUrl} /> : null}
            </>
          }
        />
      </Stack>
    </>
  )
}

function Figures({ invoice }: { invoice: FundingInvoice }) {
  const {
    depositAmount,
    payAmount,
    receivedAmount,
    address,
    asset,
    network,
    expiresAt,
    status,
    createdBy,
    cancelledBy,
  } = invoice
  const isPending = status === 'pending'
  return (
    <Panel title="Amounts">
      <Facts
        facts={[
          ['Amount', <Money key="deposit" value={depositAmount} />],
          ...creditFacts(invoice),
          payAmount === null || isPending
            ? undefined
            : ['Requested', <Money key="pay" value={payAmount} currency={asset} />],
          receivedAmount === null
            ? undefined
            : ['Received', <Money key="received" value={receivedAmount} currency={asset} />],
          ['Network', network],
          createdBy === undefined ? undefined : ['Created by', createdBy.name],
          cancelledBy === undefined ? undefined : ['Cancelled by', cancelledBy.name],
          address === null || isPending ? undefined : ['Address', <CopyId key="address" value={address} />],
          expiresAt === null || isPending
            ? undefined
            : [cancelledBy === undefined ? 'Deadline' : 'Cancelled', <Time key="deadline" value={expiresAt} />],
        ]}
      />
    </Panel>
  )
}

/** Only a completed invoice was credited. One that can still be paid says what would be. */
function creditFacts({ status, fee, creditAmount }: FundingInvoice): Fact[] {
  const credit = (
    <strong key="credit">
      <Money value={creditAmount} />
    </strong>
  )
  const feeFact: Fact = ['Fee (1.5%)', <Money key="fee" value={fee} />]
  switch (status) {
    case 'completed':
      return [feeFact, ['Credited', credit]]
    case 'creating':
    case 'pending':
      return [feeFact, ['Will be credited', credit]]
    case 'manual_review':
      return [['Credited', 'Not decided yet']]
    case 'expired':
    case 'failed':
      return [['Credited', '–']]
  }
}

function PayLink({ url }: { url: string }) {
  return (
    <Panel title="Is someone else paying?">
      <p className={styles.first}>
        Send them this link. It shows how to pay this invoice, the name of your company and what was credited, but
        nothing else about your account.
      </p>
      <span className={styles.payLink}>
        <a href={url} target="_blank" rel="noreferrer">
          Open payment page
        </a>
        <CopyButton value={url} label="Copy payment link" />
      </span>
    </Panel>
  )
}
