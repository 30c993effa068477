// Chooses the days: one of the usual ranges, or any two days.
import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { utcDay } from '~/lib/clock.ts'
import { useSetSearch } from '~/lib/use-search.ts'
import { findDay } from '@cardstock/sdk/statements'
import { presets, type Range } from '~/lib/ranges.ts'
import { DayField } from '~/ui/day-field.tsx'
import styles from './account.module.css'

export function RangeForm({ range }: { range: Range }) {
  const setSearch = useSetSearch()
  const [from, setFrom] = useState(range.from)
  const [to, setTo] = useState(range.to)
  const known = presets(utcDay())
  const current = known.find((preset) => preset.range.from === range.from && preset.range.to === range.to)
  const choose = (name: string) => {
    const preset = known.find((one) => one.name === name)
    if (preset !== undefined) setSearch({ ...preset.range })
  }
  const isReversed = from > to
  const isReady = findDay(from) !== undefined && findDay(to) !== undefined && !isReversed
  const isChanged = from !== range.from || to !== range.to
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) setSearch({ from, to })
  }
  return (
    <form className={styles.range} onSubmit={submit} aria-label="Days">
      <NativeSelect
        label="Period"
        value={current?.name ?? ''}
        data={[
          ...(current === undefined ? [{ value: '', label: 'Other days' }] : []),
          ...known.map(({ name }) => name),
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <DayField label="From (UTC)" value={from} onChange={setFrom} />
      <DayField label="To (UTC)" value={to} error={isReversed ? 'Before the first day.' : undefined} onChange={setTo} />
      <Button type="submit" variant="default" disabled={!isReady || !isChanged}>
        Show
      </Button>
    </form>
  )
}
