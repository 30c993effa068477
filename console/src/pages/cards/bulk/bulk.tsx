// Many cards at once: issued or topped up from a CSV file. Every row is checked with its price before anything is sent.
import { Button, Progress } from '@mantine/core'
import { amounts } from '@cardstock/sdk'
import { type BulkItem, summarizeBulk, toBulkResult } from '@cardstock/sdk/bulk'
import '@mantine/core/styles/Progress.layer.css'
import { useState } from 'react'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { saveFile } from '~/lib/save-file.ts'
import { paths } from '~/paths.ts'
import { Go } from '~/ui/go.tsx'
import { formatMoney, Money } from '~/ui/money.tsx'
import { Notice, Problem } from '~/ui/notice.tsx'
import { Facts, PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { ChooseFile } from './choose-file.tsx'
import { ConfirmBulk } from './confirm-bulk.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { BulkRows } from './rows.tsx'
import { type Bulk, type Checked, useBulk } from './use-bulk.ts'
import { isUnderWay, useStatuses } from './use-statuses.ts'
import styles from './bulk.module.css'

export default function BulkCards() {
  const bulk = useBulk()
  const { progress, error } = bulk
  const items = useStatuses(bulk.checked?.items ?? [])
  const checked = bulk.checked === undefined ? undefined : { ...bulk.checked, items }
  return (
    <>
      <PageHeading title="Cards from a file" parent={{ href: paths.cards(), title: 'Cards' }}>
        Issue or top up many cards from a CSV file.
      </PageHeading>
      <Stack>
        {checked === undefined ? (
          <ChooseFile isBusy={progress !== undefined} error={error} check={bulk.check} />
        ) : (
          <Outcome bulk={bulk} checked={checked} />
        )}
        {progress === undefined ? null : <Underway {...progress} isSending={bulk.isSending} />}
        {checked === undefined ? null : <Problem error={error} />}
        {checked === undefined ? null : <BulkRows items={checked.items} />}
      </Stack>
      <LeaveGuard isSending={bulk.isSending} />
    </>
  )
}

function Underway({ done, count, isSending }: { done: number; count: number; isSending: boolean }) {
  const word = isSending ? 'Sent' : 'Checked'
  return (
    <Panel>
      <p role="status" className={styles.progress}>
        {word} {done} of {count} rows
      </p>
      <Progress value={count === 0 ? 0 : (100 * done) / count} aria-label={`${word} rows`} />
      {isSending ? (
        <p className="muted">
          Keep this page open: leaving it stops the sending. To continue later, choose the same file again.
        </p>
      ) : null}
    </Panel>
  )
}

function Outcome({ bulk, checked }: { bulk: Bulk; checked: Checked }) {
  const { environment } = useWorkplace()
  const [isAsking, setAsking] = useState(false)
  const { counts, total } = summarizeBulk(checked.items)
  const balance = useData('balance', [], (client, options) => client.balance.get(options))
  const available = balance.data?.available
  const after = available === undefined ? undefined : amounts.subtract(available, total)
  const isShort = after?.startsWith('-') === true
  const verb = checked.file.type === 'issue' ? 'Issue' : 'Top up'
  const action = `${verb} ${counts.ready.toLocaleString('en')} ${counts.ready === 1 ? 'card' : 'cards'} for ${formatMoney(total)} USD`
  const isReady = counts.ready > 0 && after !== undefined && !isShort
  const send = () => {
    setAsking(false)
    bulk.send()
  }
  const save = () =>
    saveFile(
      new Blob([toBulkResult(checked.file, checked.items)], { type: 'text/csv;charset=utf-8' }),
      `result-${checked.fileName}`,
    )
  return (
    <Panel title={checked.fileName}>
      <Figures items={checked.items} available={available} after={after} />
      <Explanation checked={checked} isShort={isShort && counts.ready > 0} />
      <div className={styles.buttons}>
        {counts.ready === 0 ? null : (
          <Button
            disabled={!isReady}
            loading={bulk.progress !== undefined}
            onClick={() => (environment === 'live' ? setAsking(true) : send())}
          >
            {action}
          </Button>
        )}
        <Button variant="default" onClick={save}>
          Download result
        </Button>
        {bulk.progress === undefined ? (
          <Button variant="default" onClick={bulk.startAgain}>
            Choose another file
          </Button>
        ) : null}
        {checked.isSent ? <Go href={paths.operations()}>View operations</Go> : null}
      </div>
      {isAsking ? (
        <ConfirmBulk
          action={action}
          total={total}
          after={after}
          left={counts.refused}
          confirm={send}
          close={() => setAsking(false)}
        />
      ) : null}
    </Panel>
  )
}

interface FiguresProps {
  readonly items: readonly BulkItem[]
  readonly available: string | undefined
  readonly after: string | undefined
}

function Figures({ items, available, after }: FiguresProps) {
  const { counts, total, acceptedTotal } = summarizeBulk(items)
  const underWay = items.filter(({ state, status }) => state === 'accepted' && isUnderWay(status)).length
  return (
    <Facts
      facts={[
        counts.accepted === 0
          ? undefined
          : ['Accepted', <Count key="accepted" count={counts.accepted} money={acceptedTotal} />],
        underWay === 0 ? undefined : ['In progress', underWay.toLocaleString('en')],
        counts.ready === 0 ? undefined : ['Ready', <Count key="ready" count={counts.ready} money={total} />],
        ['Refused', counts.refused],
        counts['sent before'] === 0 ? undefined : ['Sent before', `${counts['sent before']}, not sent again`],
        counts.unknown === 0 ? undefined : ['No answer', counts.unknown],
        available === undefined ? undefined : ['Available', <Money key="available" value={available} />],
        counts.ready === 0 || after === undefined
          ? undefined
          : ['Available after', <Money key="after" value={after} />],
      ]}
    />
  )
}

function Count({ count, money }: { count: number; money: string }) {
  return (
    <>
      {count.toLocaleString('en')} for <Money value={money} />
    </>
  )
}

function Explanation({ checked, isShort }: { checked: Checked; isShort: boolean }) {
  const { counts } = summarizeBulk(checked.items)
  if (isShort) {
    return (
      <Notice tone="amber">
        <p>Not enough is available in the card account for all rows. Add funds, or use a smaller file.</p>
        <Go href={paths.fund()}>Add funds</Go>
      </Notice>
    )
  }
  if (checked.isSent && counts.ready + counts.unknown > 0) {
    return (
      <Notice tone="amber">
        {counts.unknown === 0 ? null : <p>{describeUnknown(counts.unknown)}</p>}
        {counts.ready === 0 ? null : (
          <p>
            Some rows were not sent. Send the rest now, or choose the same file again later: no row is carried out
            twice.
          </p>
        )}
      </Notice>
    )
  }
  if (counts.refused === 0) return null
  return (
    <Notice tone="amber">
      <p>
        Refused rows are not sent. To correct them, download the result, edit those rows, and choose the result file
        here. Accepted rows are not carried out again.
      </p>
    </Notice>
  )
}

/** Rows that were sent and got no answer. */
function describeUnknown(count: number): string {
  const [rows, they, them] = count === 1 ? ['row', 'it', 'it'] : ['rows', 'they', 'them']
  return (
    `No answer came for ${count.toLocaleString('en')} ${rows}: ${they} may have been carried out. ` +
    `Do not order ${them} in another way. Choose the same file again to find out; no row is carried out twice.`
  )
}
