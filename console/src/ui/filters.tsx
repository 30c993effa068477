// The filters of a list. Their values are in the address, so that Back, a reload and a link keep them.
import { Button } from '@mantine/core'
import { findDay } from '@cardstock/sdk/statements'
import { type ReactNode, useId, useState } from 'react'
import { useNarrow } from '~/lib/use-narrow.ts'
import { type SearchValues, useSearch, useSetSearch } from '~/lib/use-search.ts'
import { DayField } from './day-field.tsx'
import { SelectField, TextField } from './fields.tsx'
import { useKeepFilters, useKeptFilters } from './kept-filters.ts'
import styles from './filters.module.css'

export interface Choice {
  readonly value: string
  readonly label: string
}

/** The name is that of the parameter in the address and of the filter in the API. */
export type Filter =
  | { readonly name: string; readonly label: string; readonly choices: readonly Choice[] }
  | {
      readonly name: string
      readonly label: string
      readonly type: 'text' | 'date'
      readonly placeholder?: string
      /** Shorter texts are not sent: the server refuses them. */
      readonly lengthMin?: number
    }
  | { readonly name: string; readonly label: string; readonly field: (props: FieldSlot) => ReactNode }

/** What a field of another kind gets, such as one that searches. */
export interface FieldSlot {
  /** The name of the filter in the API. */
  readonly param: string
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

/** The name of the search, which is a parameter of the API. */
const SEARCH = 'q'

/** The search of a list: the beginning of a text, as the API takes it. */
export const searchFilter = (placeholder: string): Filter => ({
  name: SEARCH,
  label: 'Search',
  type: 'text',
  placeholder,
  lengthMin: 2,
})

/** Returns the values of these filters, and of nothing else in the address. */
export function pickFilters(filters: readonly Filter[], search: SearchValues): Record<string, string> {
  const known = filters.map(({ name }) => name).filter((name) => search[name] !== undefined)
  return Object.fromEntries(known.map((name) => [name, search[name] ?? '']))
}

interface Props {
  readonly filters: readonly Filter[]
  /** Names the list whose filters are remembered. */
  readonly list: string
  /** Other fields beside the filters. */
  readonly children?: ReactNode
}

export function Filters({ filters, list, children }: Props) {
  const search = useSearch()
  const setSearch = useSetSearch()
  const remember = useKeepFilters(list, filters)
  useKeptFilters(list, filters)
  // Another filter is another list, so it begins at its newest rows.
  const set = (name: string, value: string) => {
    setSearch({ [name]: value, cursor: undefined })
    remember({ ...pickFilters(filters, search), [name]: value })
  }
  const isFiltered = Object.keys(pickFilters(filters, search)).length > 0
  const clear = () => {
    setSearch({ cursor: undefined, ...Object.fromEntries(filters.map(({ name }) => [name, undefined])) })
    remember({})
  }
  const isNarrow = useNarrow()
  const [isOpen, setOpen] = useState(false)
  const fieldsId = useId()
  const show = (shown: readonly Filter[]) =>
    shown.map((filter) => <FilterField key={filter.name} filter={filter} value={search[filter.name] ?? ''} set={set} />)
  const others = filters.filter(({ name }) => name !== SEARCH)
  const active = others.filter(({ name }) => search[name] !== undefined).length
  // Where there is little room, the search stays and the other filters are behind one button.
  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      {show(isNarrow ? filters.filter(({ name }) => name === SEARCH) : filters)}
      {isNarrow && others.length > 0 ? (
        <Button variant="default" aria-expanded={isOpen} aria-controls={fieldsId} onClick={() => setOpen(!isOpen)}>
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
      ) : null}
      {isNarrow ? (
        <div id={fieldsId} className={styles.folded} hidden={!isOpen}>
          {show(others)}
          {children}
        </div>
      ) : null}
      {isNarrow ? null : children}
      {isFiltered && (isOpen || !isNarrow) ? (
        <Button variant="subtle" color="gray" size="sm" onClick={clear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}

interface FieldProps {
  readonly filter: Filter
  readonly value: string
  set(name: string, value: string): void
}

function FilterField({ filter, value, set }: FieldProps) {
  const { name, label } = filter
  if ('choices' in filter) {
    return (
      <SelectField
        param={name}
        label={label}
        value={value}
        data={[{ value: '', label: 'All' }, ...filter.choices]}
        onChange={(event) => set(name, event.currentTarget.value)}
      />
    )
  }
  if ('field' in filter) return filter.field({ param: name, label, value, onChange: (next) => set(name, next) })
  if (filter.type === 'date') {
    const choose = (day: string) => {
      // The field says of other texts that they are no day.
      if (day === '' || findDay(day) !== undefined) set(name, day)
    }
    return <DayField param={name} label={label} value={value} onChange={choose} />
  }
  const { lengthMin = 0 } = filter
  const setTyped = (text: string) => {
    const typed = text.trim()
    if (typed === '' || typed.length >= lengthMin) set(name, typed)
  }
  return (
    <TextField
      param={name}
      label={label}
      placeholder={filter.placeholder ?? ''}
      defaultValue={value}
      // The field keeps what is being typed; the address changes when it is complete.
      key={value}
      onBlur={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setTyped(event.currentTarget.value)
      }}
    />
  )
}
