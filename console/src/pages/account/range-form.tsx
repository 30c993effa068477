// Chooses the days: one of the usual ranges, or any two days.
import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { utcDay } from '~/lib/clock.ts'
import { useSetSearch } from '~/lib/use-search.ts'
import { findDay } from '@cardstock/sdk/statements'
import { presets, type Range } from '~/lib/ranges.ts'
import { DayField } from '~/ui/day-field.tsx'
import { Form } from '~/ui/form.tsx'
import { Refused } from '~/ui/refusal.tsx'
import styles from './account.module.css'

interface Props {
  readonly range: Range
  /** What the range was refused for. */
  readonly error: unknown
  retry(): void
}

export function RangeForm({ range, error, retry }: Props) {
  const setSearch = useSetSearch()
  // What is typed belongs to the range that is shown. Another range begins with its own days.
  const [typed, setTyped] = useState({ shown: range, chosen: range })
  const isOwn = typed.shown.from === range.from && typed.shown.to === range.to
  const { from, to } = isOwn ? typed.chosen : range
  const type = (some: Partial<Range>) => setTyped({ shown: range, chosen: { from, to, ...some } })
  const known = presets(utcDay())
  const current = known.find((preset) => preset.range.from === range.from && preset.range.to === range.to)
  const choose = (name: string) => {
    const preset = known.find((one) => one.name === name)
    if (preset !== undefined) setSearch({ ...preset.range })
  }
  const areDays = findDay(from) !== undefined && findDay(to) !== undefined
  const isReversed = areDays && from > to
  const isReady = areDays && !isReversed
  return (
    <Form label="Days" error={error} isReady={isReady} submit={() => setSearch({ from, to })}>
      <div className={styles.range}>
        <NativeSelect
          label="Period"
          value={current?.name ?? ''}
          data={[...(current === undefined ? [{ value: '', label: 'Custom' }] : []), ...known.map(({ name }) => name)]}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <DayField param="from" label="From (UTC)" value={from} onChange={(day) => type({ from: day })} />
        <DayField
          param="to"
          label="To (UTC)"
          value={to}
          error={isReversed ? 'The last day is before the first.' : undefined}
          onChange={(day) => type({ to: day })}
        />
        <Button type="submit" variant="default" disabled={!isReady}>
          Show entries
        </Button>
      </div>
      <Refused retry={retry} />
    </Form>
  )
}
