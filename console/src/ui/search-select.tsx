// Chooses one object by a search on the server: the person types the beginning of a name, and the server answers with what begins so.
// Loaded by the pages that have such a field, together with its styles.
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import { Select } from '@mantine/core'
import type { Choice } from './filters.tsx'
import { useRefused } from './refusal.tsx'

export interface SearchSelectProps {
  /** The name of the field in the API. */
  readonly param?: string | undefined
  readonly label: string
  readonly description?: string
  readonly required?: boolean
  readonly placeholder: string
  /** The id of what is chosen; empty when nothing is. */
  readonly value: string
  /** What is chosen, in words. The list of what was found need not contain it. */
  readonly chosen: Choice | undefined
  readonly found: readonly Choice[]
  readonly isSearching: boolean
  /** Called with what is typed. */
  search(text: string): void
  onChange(value: string): void
}

export function SearchSelect(props: SearchSelectProps) {
  const {
    param,
    label,
    description,
    required = false,
    placeholder,
    value,
    chosen,
    found,
    isSearching,
    search,
    onChange,
  } = props
  const { error, onChange: choose } = useRefused(param, { label, onChange })
  const others = found.filter((choice) => choice.value !== chosen?.value)
  return (
    <Select
      label={label}
      error={error}
      // The list would cover what is wrong.
      openOnFocus={error === undefined}
      {...(description === undefined ? {} : { description })}
      required={required}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      value={value === '' || chosen === undefined ? null : value}
      data={[...(chosen === undefined ? [] : [chosen]), ...others].map((choice) => ({ ...choice }))}
      // The server has chosen already.
      filter={({ options }) => options}
      onSearchChange={(text) => search(text === chosen?.label ? '' : text)}
      onChange={(next) => choose(next ?? '')}
      nothingFoundMessage={isSearching ? 'Searching…' : 'No results.'}
      comboboxProps={{ withinPortal: true }}
    />
  )
}
