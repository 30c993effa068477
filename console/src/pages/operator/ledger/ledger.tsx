// Checks of the books: the audit derives every balance again, and reconciliation compares them with the issuer's.
import { Button } from '@mantine/core'
import type { LedgerAudit, LedgerDifference, Reconciliation, ReconciliationDifference } from '@cardstock/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '~/api/client.ts'
import { useAction } from '~/api/use-action.ts'
import { now } from '~/lib/clock.ts'
import { Notice, Problem } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { type Column, Table } from '~/ui/table.tsx'
import { formatDuration, Time } from '~/ui/time.tsx'
import { EnvironmentBadge } from '~/pages/operator/environment-badge.tsx'
import { LatestSeals } from './latest-seals.tsx'
import { Runs } from './runs.tsx'
import styles from './ledger.module.css'

/** An audit of a large ledger takes minutes. With one limit for the try and the whole call, an audit that takes too long is not started again. */
const LIMITS = { timeoutMs: 30 * 60_000, totalTimeoutMs: 30 * 60_000 }

export default function Ledger() {
  return (
    <>
      <PageHeading title="Ledger">Read-only checks; they do not slow the server.</PageHeading>
      <Stack>
        <Audit />
        <Reconcile />
        <Runs />
        <LatestSeals />
      </Stack>
    </>
  )
}

interface Run<Result> {
  readonly result: Result
  readonly at: string
  readonly tookMs: number
}

/** Keeps the result of the last run, and when it was. */
function useRun<Result>(check: () => Promise<Result>) {
  const [run, setRun] = useState<Run<Result>>()
  const action = useAction(
    async () => {
      const startedMs = now()
      const result = await check()
      setRun({ result, at: new Date(now()).toISOString(), tookMs: now() - startedMs })
    },
    { refreshes: ['ledger', 'audit-log'] },
  )
  return { run, action }
}

const DIFFERENCE_COLUMNS: readonly Column<LedgerDifference>[] = [
  { title: 'Company', role: 'name', show: ({ companyId, companyName }) => companyName ?? companyId },
  { title: 'Environment', show: ({ environment }) => <EnvironmentBadge value={environment} /> },
  { title: 'Difference', show: ({ difference }) => difference },
]

function Audit() {
  const { run, action } = useRun<LedgerAudit>(() => api.admin.books.audit(LIMITS))
  return (
    <Panel title="Audit">
      <p className={styles.text}>
        Recomputes every balance from its entries, compares what is held with what is in progress, and verifies the
        seals. The entries form a chain of hashes, so that none can be changed, removed or inserted unnoticed.
      </p>
      <RunButton verb="Run audit" action={action} />
      {run === undefined ? null : (
        <Outcome
          run={run}
          differences={run.result.differences.length}
          right="All balances and seals are correct."
          facts={[
            ['Accounts', run.result.accounts],
            ['Entries', run.result.entries],
          ]}
        >
          <Table
            label="Differences found by the audit"
            columns={DIFFERENCE_COLUMNS}
            rows={run.result.differences}
            keyOf={({ companyId, environment, difference }) => `${companyId} ${environment} ${difference}`}
          />
        </Outcome>
      )}
    </Panel>
  )
}

const RECONCILIATION_COLUMNS: readonly Column<ReconciliationDifference>[] = [
  { title: 'Request', role: 'name', show: ({ id }) => <code>{id}</code> },
  { title: 'Company', show: ({ companyId, companyName }) => companyName ?? companyId },
  { title: 'Kind', show: ({ kind }) => kind },
  { title: 'Difference', show: ({ difference }) => difference },
]

function Reconcile() {
  const { run, action } = useRun<Reconciliation>(() => api.admin.books.reconcile(LIMITS))
  return (
    <Panel title="Reconciliation with the live issuer">
      <p className={styles.text}>
        Compares every live operation and invoice with the issuer&rsquo;s own records, and lists the differences.
      </p>
      <RunButton verb="Run reconciliation" action={action} />
      {run === undefined ? null : (
        <Outcome
          run={run}
          differences={run.result.differences.length}
          right="The records agree."
          facts={[
            ['Companies', run.result.companies],
            ['Records compared', run.result.compared],
          ]}
        >
          <Table
            label="Differences with the issuer"
            columns={RECONCILIATION_COLUMNS}
            rows={run.result.differences}
            keyOf={({ id, difference }) => `${id} ${difference}`}
          />
        </Outcome>
      )}
    </Panel>
  )
}

function RunButton({ verb, action }: { verb: string; action: ReturnType<typeof useRun>['action'] }) {
  return (
    <>
      <div className={styles.run}>
        <Button loading={action.isBusy} onClick={() => void action.run()}>
          {verb}
        </Button>
        {action.isBusy ? <Elapsed /> : null}
      </div>
      <Problem error={action.error} />
    </>
  )
}

/** The server reports no percentage, so only the time that has passed can be shown. */
function Elapsed() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span role="status" className="muted">
      Checking{seconds === 0 ? '' : `, ${seconds} s`} …
    </span>
  )
}

interface OutcomeProps {
  readonly run: Run<unknown>
  readonly differences: number
  readonly right: string
  readonly facts: readonly (readonly [string, number])[]
  /** The table of differences. */
  readonly children: ReactNode
}

function Outcome({ run, differences, right, facts, children }: OutcomeProps) {
  return (
    <div className={styles.outcome} role="status">
      {differences === 0 ? (
        <Notice tone="green" title={right}>
          <p>No differences found.</p>
        </Notice>
      ) : (
        <>
          <Notice tone="red" title={`${differences} ${differences === 1 ? 'difference' : 'differences'}`}>
            <p>Stop deciding reviews, make a copy of the database, and compare it with the last backup.</p>
          </Notice>
          {children}
        </>
      )}
      <Facts
        facts={[
          ...facts.map(
            ([name, count]) =>
              [
                name,
                <span key={name} className="tabular">
                  {count.toLocaleString('en')}
                </span>,
              ] as const,
          ),
          ['Time', <Time key="at" value={run.at} />],
          ['Duration', formatDuration(run.tookMs)],
        ]}
      />
    </div>
  )
}
