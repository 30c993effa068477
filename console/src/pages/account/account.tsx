// The card account over some days: its figures, its entries with the running balance, files of it, and its proof.
import type { Statement } from '@cardstock/sdk'
import { codeOf, describeError } from '~/api/errors.ts'
import { useData } from '~/api/use-data.ts'
import { utcDay } from '~/lib/clock.ts'
import { useSearch } from '~/lib/use-search.ts'
import { Lines, Loaded } from '~/ui/loaded.tsx'
import { Money } from '~/ui/money.tsx'
import { PageHeading, Panel, Stack } from '~/ui/page.tsx'
import { formatTime } from '~/ui/time.tsx'
import { AllEntries } from './all-entries.tsx'
import { Downloads } from './downloads.tsx'
import { Entries } from './entries.tsx'
import { Proof } from './proof.tsx'
import { RangeForm } from './range-form.tsx'
import { chosenRange } from '~/lib/ranges.ts'
import styles from './account.module.css'

export default function CardAccount() {
  const range = chosenRange(useSearch(), utcDay())
  const { from, to } = range
  const query = useData('statements', [from, to], (client, options) => client.statements.get({ from, to }, options), {
    // Without the former statement while this one is read: its figures would stand under the days of this one.
    isMoving: to >= utcDay(),
  })
  const isLong = query.isError && codeOf(query.error) === 'statement_too_many_entries'
  return (
    <>
      <PageHeading title="Card account" actions={query.isError ? undefined : <Downloads range={range} />}>
        {formatTime(from, 'day')} to {formatTime(to, 'day')} (UTC)
      </PageHeading>
      <RangeForm
        range={range}
        error={isLong || query.data !== undefined ? undefined : query.error}
        retry={() => void query.refetch()}
      />
      {isLong ? (
        <AllEntries range={range} message={describeError(query.error).message} />
      ) : query.isError && query.data === undefined ? null : (
        <Loaded query={query} skeleton={<Lines count={8} height={32} />}>
          {(statement) => (
            <Stack>
              <Figures statement={statement} />
              <Entries statement={statement} />
              <Proof key={`${statement.from} ${statement.to}`} statement={statement} />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  )
}

function Figures({ statement }: { statement: Statement }) {
  const { openingBalance, incoming, outgoing, closingBalance } = statement
  const negative = /^[0.]*$/.test(outgoing) ? outgoing : `-${outgoing}`
  return (
    <Panel>
      <dl className={styles.figures}>
        <Figure name="Opening balance" value={openingBalance} />
        <Figure name="In" value={incoming} isMovement />
        <Figure name="Out" value={negative} isMovement />
        <Figure name="Closing balance" value={closingBalance} isMain />
      </dl>
    </Panel>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly isMovement?: boolean
  readonly isMain?: boolean
}

function Figure({ name, value, isMovement = false, isMain = false }: FigureProps) {
  return (
    <div className={styles.figure} data-main={isMain}>
      <dt>{name}</dt>
      <dd>
        <Money value={value} isMovement={isMovement} />
      </dd>
    </div>
  )
}
